public import JSONText
public import LocalChanges
package import OfflineStore
package import Soups

// MARK: - Creations in doubt
extension SyncManager {
    /// Returns the creations of a soup of which it is not known whether the service has made them, in the order of the
    /// entry ids of their rows.
    ///
    /// - Throws: `closed`; faults of the store.
    public func pendingDoubts(inSoup soup: String) async throws -> [OutboxRow] {
        try requireOpen()
        let store = store
        return try await store.readingToTheEnd { try Outbox(store).doubts(inSoup: soup) }
    }

    /// Decides about a creation whose answer was lost, and returns the row as it is then; nil if it was removed.
    ///
    /// The sync that sent the row says which of its fields it would send now: if they are those that were sent, a row
    /// that was created is clean; otherwise it stays to be sent, as an update or a deletion. See `Outbox.resolve`.
    ///
    /// - Parameters:
    ///   - doubt: What is known about the creation: the id that the service gave, or that there is none.
    ///   - soup: The soup of the row.
    ///   - entryId: The id of the entry.
    ///   - keyField: The id field of a row that no sync has sent, and whose note in the outbox names none.
    /// - Throws: as `Outbox.resolve`.
    @discardableResult
    public func resolveDoubt(
        _ doubt: Doubt, soup: String, entryId: Int64, keyField: String = "Id"
    ) async throws -> JSONObject? {
        try requireOpen()
        let (store, registry) = (store, options.targets)
        return try await store.writingToTheEnd {
            try Self.resolve(
                doubt, soup: soup, entryId: entryId, keyField: keyField, in: store, registry: registry)
        }
    }

    /// Decides about a creation in one transaction, or as a part of the caller's.
    package static func resolve(
        _ doubt: Doubt, soup: String, entryId: Int64, keyField: String, in store: SmartStore, registry: TargetRegistry
    ) throws(Fault) -> JSONObject? {
        let outbox = Outbox(store)
        return try store.atomically { () throws(Fault) in
            let note = try outbox.row(soup: soup, entryId: entryId)
            let plan = try definition(of: note, SyncRows(store), registry)
            let part = plan.map { UpPlan.part(of: soup, $0.definition, $0.sync) }
            let former = try SoupRows(store, soup: soup).row(entryId)
            let sent = comparable(note?.sent ?? JSONObject(), former, part)
            var fields = part?.createFields
            if let parentField = part?.parentIdField, sent[parentField] != nil {
                fields?.append(parentField)
            }
            let row = try outbox.resolve(
                soup: soup, entryId: entryId, doubt, keyField: part?.idField ?? note?.keyField ?? keyField,
                fields: fields, sent: sent)
            if case .wasCreated(let id) = doubt, let plan, let trees = plan.trees, let part,
                ByteKey(trees.parent.soup) == ByteKey(soup), let old = former?[part.idField]?.string
            {
                try ChildMove(trees: trees, store: store).move(from: RecordId(old), to: RecordId(id), known: [])
            }
            return row
        }
    }

    /// What was sent of a row. A reference to a parent that was created in the same call is what the row names as its
    /// parent: the service has put the id there, and so does every call that gives the parent its id.
    ///
    /// - Parameter part: The part that the row belongs to; nil if its sync is gone, and with it the name of the field.
    private static func comparable(_ sent: JSONObject, _ row: JSONObject?, _ part: UpPart?) -> JSONObject {
        var comparable = sent
        for name in sent.names where sent[name]?.string == CompositeCall.firstId {
            if part.map({ $0.parentIdField.map { ByteKey($0) } == ByteKey(name) }) ?? true {
                comparable[name] = row?[name]
            }
        }
        return comparable
    }

    /// A sync up that has sent a row.
    private struct Sender {
        let definition: UpDefinition
        let sync: SyncState
        var trees: TreeParts? { definition.trees.map { TreeParts($0, definition, sync.options) } }
    }

    /// The sync that sent a row; nil if there is no such sync any more.
    private static func definition(
        of sent: OutboxRow?, _ rows: SyncRows, _ registry: TargetRegistry
    ) throws(Fault) -> Sender? {
        guard let id = sent?.syncId, let row = try rows.row(.id(id)), let sync = try? SyncState(row: row),
            sync.type == .up,
            let definition = try? UpDefinition(sync.target, isRegistered: registry.hasUpTarget(sync.target))
        else { return nil }
        return Sender(definition: definition, sync: sync)
    }
}
