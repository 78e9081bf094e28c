public import JSONText
public import LocalChanges
import OData
import OfflineStore
public import Soups

/// A local change that waits to be sent.
public struct PendingChange: Sendable {
    /// The entity set.
    public let entitySet: String
    /// The id of the row.
    public let entryId: Int64
    /// The key of the entity as text; a local id for a new one, and a text with the former key, as in
    /// `former["Id"]["1"]`, for one whose key is not known since the metadata has another key for its set.
    public let key: String
    /// What a push will do.
    public let operation: ChangeOperation
    /// The names of the changed properties, without those of the row alone.
    public let changed: [String]
    /// The last refusal of the service.
    public let error: JSONObject?
    /// Both versions of an entity that was changed on the service too.
    public let conflict: Conflict?
    /// Whether the answer to its insert was lost, so that it is held.
    public let isInDoubt: Bool
}

extension ODataClient {
    /// Finds the local changes, set by set in the order of their names, rows by id.
    ///
    /// - Parameter set: The only set to look at; nil for all.
    /// - Throws: `invalidArguments` for a set that is not mapped; faults of the store.
    public func pending(_ set: String? = nil) throws(Fault) -> [PendingChange] {
        var changes: [PendingChange] = []
        for set in try sets(named: set.map { [$0] }) {
            for row in try changedRows(of: set) {
                guard let operation = LocalFlags(of: row.row).pushed else { continue }
                let kept = KeptConflict(of: row.row)
                let entryId = row.row.entryId ?? 0
                changes.append(
                    PendingChange(
                        entitySet: set.name, entryId: entryId, key: row.row.keyText, operation: operation,
                        changed: operation == .delete ? [] : row.changedNames,
                        error: row.row[ReservedField.lastError]?.string.flatMap {
                            (try? JSONValue(parsing: $0))?.object
                        },
                        conflict: kept.map { conflict(of: row, $0, etag: $0.etag) },
                        isInDoubt: try Outbox(store).row(soup: set.soup, entryId: entryId) != nil))
            }
        }
        return changes
    }

    /// Finds the rows in conflict.
    ///
    /// - Throws: as `pending`.
    public func conflicts(_ set: String? = nil) throws(Fault) -> [Conflict] {
        try pending(set).compactMap(\.conflict)
    }

    /// Finds the inserts whose answer was lost, as they were sent.
    ///
    /// - Throws: as `pending`.
    public func doubts(_ set: String? = nil) throws(Fault) -> [OutboxRow] {
        var doubts: [OutboxRow] = []
        for set in try sets(named: set.map { [$0] }) {
            doubts += try Outbox(store).doubts(inSoup: set.soup)
        }
        return doubts
    }

    /// Decides about a conflict, and returns the row: still to be sent, clean, or nil if it was removed. Nothing is
    /// sent.
    ///
    /// - Throws: `invalidEntry` if the row is not in conflict; as `create` for a merged entity.
    @discardableResult
    public func resolve(
        _ set: String, entryId: Int64, _ resolution: Conflict.Resolution
    ) throws(Fault) -> JSONObject? {
        let set = try map.set(set)
        return try store.atomically { () throws(Fault) in
            let row = try self.row(.entryId(entryId), of: set)
            guard let conflict = KeptConflict(of: row) else {
                throw Fault(.invalidEntry, "the row is not in conflict", context: [.soup(set.soup)])
            }
            var decision = resolution
            if case .merged(let properties) = resolution {
                let own = properties.removing { RowMember.isForbidden($0) || ReservedField.isReserved($0) }
                let typed = set.forRow(row)
                let editable = own.removing { typed.isReadOnly($0, isInsert: false) }
                let check = EditCheck(map: map, set: typed, isInsert: false, isWhole: true)
                let checked = try check.checked(editable)
                try requireKey(of: row, in: checked, conflict, typed)
                decision = .merged(checked.removing { set.isKey($0) })
            }
            return try settle(row, conflict, of: set, decision)
        }
    }

    /// Throws `invalidEntry` for a merged entity with another key than that of its row. One that is gone is created
    /// again, and gets its key then.
    private func requireKey(
        of row: JSONObject, in merged: JSONObject, _ conflict: KeptConflict, _ set: MappedEntitySet
    ) throws(Fault) {
        guard conflict.kind != .deletedThere else { return }
        let types = StoredTypes(model: set.model, version: map.version, entityType: set.entityType)
        for (name, value) in merged.members where set.isKey(name) && row[name] != nil {
            guard types.areSame(row[name], value, named: name) else {
                throw Fault(
                    .invalidEntry, "the key of an existing entity cannot be changed",
                    context: [.soup(set.soup), .path(name)])
            }
        }
    }

    /// Carries out a decision about a row in conflict. Inside a transaction.
    func settle(
        _ row: JSONObject, _ conflict: KeptConflict, of set: MappedEntitySet, _ resolution: Conflict.Resolution
    ) throws(Fault) -> JSONObject? {
        let entryId = row.entryId ?? 0
        var plain = row
        plain[RowMember.conflict] = nil
        let changed = changedRow(plain, base: try Originals(store, soup: set.soup).original(of: entryId), of: set)
        let decision = ConflictDecision(changed: changed, kind: conflict.kind, theirs: conflict.theirs)
        let outcome = decision.outcome(resolution)
        if case .keep = outcome {
            return row
        }
        let saving = PushSaving(client: self)
        if case .theirs = outcome, try saving.takeKey(of: conflict.theirs, conflict.control, for: row, set) {
            return try saving.rows(set).row(entryId)
        }
        let settling = settling(changed, conflict.kind, theirs: conflict.theirs, control: conflict.control)
        guard let settled = try settling.settle(outcome) else {
            try store.remove(ids: [entryId], from: set.soup)
            return nil
        }
        return try SoupRows(store, soup: set.soup).write(settled)
    }

    // MARK: - Rows

    /// The named sets, or all, in the order of their names.
    func sets(named names: [String]?) throws(Fault) -> [MappedEntitySet] {
        guard let names else { return map.sets }
        for name in names {
            _ = try map.set(name)
        }
        return map.sets.filter { set in names.contains { ByteKey($0) == ByteKey(set.name) } }
    }

    /// A row next to the version that its changes started from, by the type that it has.
    func changedRow(_ row: JSONObject, base: JSONObject?, of set: MappedEntitySet) -> ChangedRow {
        ChangedRow(
            form: RowForm(set.forRow(row), version: map.version), row: row, base: base, reading: reading)
    }

    /// The rows of a set with local changes, by id.
    func changedRows(of set: MappedEntitySet) throws(Fault) -> [ChangedRow] {
        var changed: [ChangedRow] = []
        try readChangedRows(of: set) { page in changed += page }
        return changed
    }

    /// Hands over the rows of a set with local changes, by id, 200 at a time. Only their ids are all in memory.
    ///
    /// Outside of a transaction each page is read from the store as it is then.
    func readChangedRows(
        of set: MappedEntitySet, _ body: ([ChangedRow]) throws(Fault) -> Void
    ) throws(Fault) {
        let ids = try SoupRows(store, soup: set.soup).ids(where: ReservedField.local, isOneOf: [.text("true")])
        let pageSize = 200
        for start in stride(from: 0, to: ids.count, by: pageSize) {
            let part = Array(ids[start..<min(start + pageSize, ids.count)])
            var rows = ChangedRowPage(self)
            try rows.read(part, of: set)
            var page: [ChangedRow] = []
            for id in part {
                guard let row = try rows.row(id, of: set) else { continue }
                page.append(try rows.changedRow(row, of: set))
            }
            try body(page)
        }
    }
}

extension LocalFlags {
    /// What a push does for the row; nil for one that is clean or was created and deleted.
    var pushed: ChangeOperation? {
        switch operation {
        case .create?: .insert
        case .update?: .update
        case .delete?: isCreated ? nil : .delete
        case nil: nil
        }
    }

    /// Whether the deletion is the only local change.
    var isOnlyDeleted: Bool { isDeleted && !isCreated && !isUpdated }
}
