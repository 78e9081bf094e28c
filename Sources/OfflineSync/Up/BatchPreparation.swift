import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Reads the rows of the next batch, decides what each needs, and notes creations. Inside one transaction.
struct BatchPreparation: Sendable {
    let part: UpPart
    let store: SmartStore
    let syncId: Int64
    let limit: Int
    /// Whether creations are noted, and rows with a note are held.
    let holdsDoubts: Bool
    let uuids: UUIDSource
    let now: Int64

    /// The most bytes of the body of a call.
    static let greatestBody = 8 << 20

    /// A batch that is ready.
    struct Batch: Sendable {
        var records: [PendingRecord] = []
        /// The rows that must wait for the next batch, because a row with their id is in this one.
        var waiting: [Int64] = []
        /// How many rows were looked at.
        var taken = 0
        var effects = UpEffects()
        var bytes = 0
        fileprivate var ids: Set<RecordId> = []
        fileprivate var changed: [[UInt8]] = []
        fileprivate var removed: [Int64] = []
    }

    /// Makes up a batch of the first rows of a queue.
    ///
    /// - Parameter most: How many rows are looked at, at most.
    func next(_ queue: UpQueue, most: Int) throws(Fault) -> Batch {
        try part.requirePresent(in: store)
        var batch = Batch()
        let outbox = Outbox(store)
        // So many rows at once that a batch of rows that are all sent needs one look into the outbox.
        let notes = try outbox.noted(soup: part.soup, among: (0..<min(limit, queue.count)).map { queue[$0] })
        for number in 0..<min(queue.count, most) {
            guard batch.records.count < limit else { break }
            let entryId = queue[number]
            let known = number < limit ? notes : try outbox.noted(soup: part.soup, among: [entryId])
            guard try take(entryId, isNoted: known[entryId] != nil, queue, into: &batch) else { break }
            batch.taken += 1
        }
        try finish(&batch)
        return batch
    }

    /// Writes what becomes of the rows of which nothing is sent, and notes the creations of the others.
    func finish(_ batch: inout Batch) throws(Fault) {
        if !batch.changed.isEmpty {
            try store.upsertIds(batch.changed, into: part.soup)
        }
        if !batch.removed.isEmpty {
            try store.remove(ids: batch.removed, from: part.soup)
            try Originals(store, soup: part.soup).remove(batch.removed)
        }
        try note(&batch.records)
    }

    /// Takes a row into a batch, or decides that nothing is sent of it. Returns false if the batch is full before it.
    private func take(
        _ entryId: Int64, isNoted: Bool, _ queue: UpQueue, into batch: inout Batch
    ) throws(Fault) -> Bool {
        guard !queue.unasked.contains(entryId) else {
            batch.waiting.append(entryId)
            return true
        }
        // It was counted when it was asked about.
        if case .applied? = queue.verdicts[entryId] {
            return true
        }
        guard let bytes = try store.retrieve(id: entryId, from: part.soup) else {
            batch.effects.settled += 1
            return true
        }
        let text = try RowText(bytes)
        guard text.isTrue(ReservedField.local) else {
            batch.effects.settled += 1
            return true
        }
        if isNoted {
            guard !holdsDoubts else {
                hold(text, entryId, in: &batch)
                return true
            }
            try Outbox(store).remove(soup: part.soup, entryIds: [entryId])
        }
        switch queue.verdicts[entryId] {
        case .applied?: return true
        case .leave(let reason)?:
            batch.effects.settled += 1
            batch.effects.summary.left += 1
            batch.effects.events.append(.recordLeft(soup: part.soup, entryId: entryId, reason: reason))
            return true
        case .unknown(let status)?:
            refuse(text, entryId, .checkFailed(status), in: &batch)
            return true
        case .push?, nil: break
        }
        switch try part.task(of: text) {
        case .clean: batch.effects.settled += 1
        case .nothing(let error): refuse(text, entryId, error, in: &batch)
        case .removal:
            batch.removed.append(entryId)
            batch.effects.settled += 1
            batch.effects.summary.removed += 1
        case .record(let record): return try add(record, to: &batch)
        }
        return true
    }

    private func add(_ given: PendingRecord, to batch: inout Batch) throws(Fault) -> Bool {
        if let id = given.recordId, batch.ids.contains(id) {
            batch.waiting.append(given.entryId)
            return true
        }
        let record = given.operation == .create ? try withKey(given) : given
        guard batch.records.isEmpty || batch.bytes + record.weight <= Self.greatestBody && !part.mustBeFirst(record)
        else { return false }
        batch.bytes += record.weight
        if let id = record.recordId {
            batch.ids.insert(id)
        }
        batch.records.append(record)
        return true
    }

    /// The record with a key that is generated and kept in its row, where it needs one.
    func withKey(_ record: PendingRecord) throws(Fault) -> PendingRecord {
        guard let field = part.externalIdField, part.lacksKey(record.text) else { return record }
        let key = JSONValue.string(uuids.next()).bytes()
        let stored = try store.upsert([record.text.replacing([(field, key)])], into: part.soup)
        return try part.creation(of: RowText(stored.first ?? []), isRecreation: record.isRecreation)
    }

    /// Notes the creations that could be made twice.
    func note(_ records: inout [PendingRecord]) throws(Fault) {
        guard holdsDoubts else { return }
        var rows: [OutboxRow] = []
        for index in records.indices where records[index].operation == .create && records[index].key == nil {
            let record = records[index]
            rows.append(
                OutboxRow(
                    soupName: part.soup, entryId: record.entryId, syncId: syncId, objectType: record.sentType,
                    sent: record.fields, sentAt: now
                ).naming(keyField: part.idField))
            records[index].isNoted = true
        }
        try Outbox(store).note(rows)
    }

    private func hold(_ text: RowText, _ entryId: Int64, in batch: inout Batch) {
        batch.effects.settled += 1
        batch.effects.summary.held += 1
        batch.effects.events.append(.recordHeld(soup: part.soup, entryId: entryId))
        let error = JSONValue.string(JSONValue.object(LocalError.inDoubt.json).text()).bytes()
        if text[ReservedField.lastError].map({ !$0.elementsEqual(error) }) ?? true {
            batch.changed.append(text.replacing([(ReservedField.lastError, error)]))
        }
    }

    /// Gives a row an error of our own.
    func refuse(_ text: RowText, _ entryId: Int64, _ error: LocalError, in batch: inout Batch) {
        batch.effects.settled += 1
        batch.effects.summary.refused += 1
        batch.effects.events.append(.recordRefused(soup: part.soup, entryId: entryId, code: error.code))
        let error = JSONValue.string(JSONValue.object(error.json).text()).bytes()
        batch.changed.append(text.replacing([(ReservedField.lastError, error)]))
    }
}
