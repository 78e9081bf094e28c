import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Saves what became of records that were sent. Every call is inside one transaction.
///
/// A row that was edited since it was read keeps its new content and stays to be sent. The rows of a soup that was
/// removed are gone, also where another soup has its name.
struct OutcomeSaver {
    let part: UpPart
    let store: SmartStore
    let uuids: UUIDSource

    /// What a row becomes.
    enum Settlement: Sendable {
        /// The service has created the record, or found it by its key.
        case created(id: String)
        /// The service has updated or deleted the record.
        case done
        /// The service had the change already, and gives the record this date, as JSON text.
        case applied(date: [UInt8])
        /// The row gets an error.
        case refused(JSONObject)
        /// The row stays as it is.
        case kept
    }

    /// A record and what its row becomes.
    struct Item: Sendable {
        let record: PendingRecord
        let settlement: Settlement
        /// Whether the note in the outbox stays, because the creation is in doubt.
        var isInDoubt = false
    }

    /// What is written at the end of a call, for all its rows at once.
    private struct Changes {
        var rows: [[UInt8]] = []
        var removed: [Int64] = []
        var withoutOriginal: [Int64] = []
        var ids: Set<ByteKey> = []
    }

    /// Saves outcomes, in their order.
    func save(_ items: [Item]) throws(Fault) -> UpEffects {
        let isPresent = try part.isPresent(in: store)
        let current = isPresent ? try rows(items.map(\.record.entryId)) : [:]
        let rivalled = isPresent ? try rivalledIds(items) : []
        var effects = UpEffects()
        var changes = Changes()
        for item in items {
            let record = item.record
            guard let now = current[record.entryId] else {
                effects.events.append(removedMeanwhile(item))
                continue
            }
            let isEdited = now != record.row
            if isEdited, case .kept = item.settlement {
                continue
            }
            if isEdited {
                effects.events.append(.editedMeanwhile(soup: part.soup, entryId: record.entryId))
            }
            switch item.settlement {
            case .kept: break
            case .refused(let error):
                let text = JSONValue.string(JSONValue.object(error).text()).bytes()
                changes.rows.append(try RowText(now).replacing([(ReservedField.lastError, text)]))
            case .created(let id):
                let isCommon = rivalled.contains(ByteKey(id)) || !changes.ids.insert(ByteKey(id)).inserted
                if isEdited || isCommon {
                    try write(&changes)
                    try saveCreated(record, id, now, isEdited: isEdited, &effects)
                } else {
                    changes.rows.append(clean(record, [(part.idField, JSONValue.string(id).bytes())]))
                    changes.withoutOriginal.append(record.entryId)
                }
                effects.events.append(
                    .idReplaced(soup: part.soup, old: record.text.value(part.idField)?.string ?? "", new: id))
            case .done where record.operation == .delete:
                try saveDeleted(record, now, &changes, &effects)
            case .done:
                try saveUpdated(record, now, isEdited: isEdited, date: nil, &changes)
            case .applied(let date):
                try saveUpdated(record, now, isEdited: isEdited, date: date, &changes)
            }
        }
        try write(&changes)
        let decided = items.filter { $0.record.isNoted && !$0.isInDoubt }.map(\.record.entryId)
        if isPresent, !decided.isEmpty {
            try Outbox(store).remove(soup: part.soup, entryIds: decided)
        }
        return effects
    }

    // MARK: - Rows

    /// The rows as they are now, by their ids.
    private func rows(_ ids: [Int64]) throws(Fault) -> [Int64: [UInt8]] {
        var rows: [Int64: [UInt8]] = [:]
        for id in ids {
            rows[id] = try store.retrieve(id: id, from: part.soup)
        }
        return rows
    }

    /// The row without local changes, and with other values of members.
    private func clean(_ record: PendingRecord, _ values: [(name: String, value: [UInt8]?)]) -> [UInt8] {
        record.text.replacing(values + LocalFlags().changes + [(name: ReservedField.lastError, value: nil)])
    }

    private func write(_ changes: inout Changes) throws(Fault) {
        if !changes.rows.isEmpty {
            try store.upsertIds(changes.rows, into: part.soup)
        }
        if !changes.removed.isEmpty {
            try store.remove(ids: changes.removed, from: part.soup)
        }
        let forgotten = changes.withoutOriginal + changes.removed
        if !forgotten.isEmpty {
            try Originals(store, soup: part.soup).remove(forgotten)
        }
        changes.rows = []
        changes.removed = []
        changes.withoutOriginal = []
    }

    // MARK: - Creations

    /// The ids of new records that other rows of the soup have.
    private func rivalledIds(_ items: [Item]) throws(Fault) -> Set<ByteKey> {
        var owners: [ByteKey: Int64] = [:]
        for item in items {
            if case .created(let id) = item.settlement {
                owners[ByteKey(id)] = item.record.entryId
            }
        }
        guard !owners.isEmpty else { return [] }
        let found = try store.lookUp(
            owners.keys.map { .text($0.text) }, path: part.idField, in: part.soup,
            selecting: ["_soupEntryId", part.idField])
        var rivalled: Set<ByteKey> = []
        for cells in found {
            guard case .value(.integer(let entryId))? = cells.first, let id = cells.last.flatMap(RecordId.init(cell:))
            else { continue }
            if owners[ByteKey(id.text)] != entryId {
                rivalled.insert(ByteKey(id.text))
            }
        }
        return rivalled
    }

    /// Saves a creation whose row was edited, or whose id another row has.
    private func saveCreated(
        _ record: PendingRecord, _ id: String, _ now: [UInt8], isEdited: Bool, _ effects: inout UpEffects
    ) throws(Fault) {
        var row = try SoupRows.object(of: now)
        row[ReservedField.lastError] = nil
        let created = CreatedRow(SoupRows(store, soup: part.soup), keyField: part.idField, id: id)
        let saved = try created.save(row, isEdited: isEdited, original: try image(of: record))
        effects.summary.removed += saved.removed
        if saved.row?[ReservedField.lastError] != nil {
            effects.summary.refused += 1
            effects.events.append(
                .recordRefused(soup: part.soup, entryId: record.entryId, code: CreatedRow.duplicateCode))
        }
    }

    /// The row as it was sent, as an original.
    private func image(of record: PendingRecord) throws(Fault) -> JSONObject {
        var image = try record.text.object
        image[ReservedField.lastError] = nil
        return image
    }

    // MARK: - Updates and deletions

    /// Saves an update that the service has.
    ///
    /// - Parameter date: The date of the record, where the service had the change already.
    private func saveUpdated(
        _ record: PendingRecord, _ now: [UInt8], isEdited: Bool, date: [UInt8]?, _ changes: inout Changes
    ) throws(Fault) {
        let dated = date.map { [(name: part.modificationField, value: Optional($0))] } ?? []
        guard isEdited else {
            if let date, let brought = try skippedRecord(record, date) {
                changes.rows.append(brought)
            } else {
                changes.rows.append(clean(record, dated))
            }
            changes.withoutOriginal.append(record.entryId)
            return
        }
        let text = try RowText(now)
        let originals = Originals(store, soup: part.soup)
        if !text.flags.isDirty {
            // The app has discarded its change, or saved a record of the service.
            changes.withoutOriginal.append(record.entryId)
        } else if try originals.exists() {
            let sent = try SoupRows.object(of: record.text.replacing(dated + [(ReservedField.lastError, nil)]))
            try originals.keep(sent, keyField: part.idField)
        }
        if text[ReservedField.lastError] != nil {
            changes.rows.append(text.replacing([(ReservedField.lastError, nil)]))
        }
    }

    /// The record that a sync has passed over, as the row that it becomes, if it is of this date.
    private func skippedRecord(_ record: PendingRecord, _ date: [UInt8]) throws(Fault) -> [UInt8]? {
        let originals = Originals(store, soup: part.soup)
        guard var skipped = try originals.skippedRecord(of: record.entryId),
            let known = skipped[part.modificationField]?.string.flatMap(ServiceDate.milliseconds),
            let asked = (try? JSONValue(parsing: date))?.string.flatMap(ServiceDate.milliseconds), known == asked
        else { return nil }
        skipped["_soupEntryId"] = .number(JSONNumber(record.entryId))
        LocalFlags().write(to: &skipped)
        return JSONValue.object(skipped).bytes()
    }

    /// Saves a deletion. A row that is not marked as deleted any more has lost its record: it is a new one.
    private func saveDeleted(
        _ record: PendingRecord, _ now: [UInt8], _ changes: inout Changes, _ effects: inout UpEffects
    ) throws(Fault) {
        let text = try RowText(now)
        guard !text.isTrue(ReservedField.locallyDeleted) else {
            changes.removed.append(record.entryId)
            effects.summary.removed += 1
            return
        }
        var flags = LocalFlags()
        flags.isCreated = true
        let id = JSONValue.string(LocalId.next(from: uuids)).bytes()
        changes.rows.append(
            text.replacing([(part.idField, id), (ReservedField.lastError, nil)] + flags.changes))
        changes.withoutOriginal.append(record.entryId)
    }

    private func removedMeanwhile(_ item: Item) -> SyncEvent {
        let id: String? =
            if case .created(let id) = item.settlement { id } else { item.record.id }
        return .removedMeanwhile(soup: part.soup, entryId: item.record.entryId, id: id)
    }
}
