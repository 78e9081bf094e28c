import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Gives the changed rows of a set keys of the present form, when the set is loaded again because its metadata has
/// another key. Every call is inside a transaction of the caller.
///
/// Without that, an entity would arrive as a second row, and the change of the first one could never be sent.
struct KeyRenewal {
    private let client: ODataClient
    private let set: MappedEntitySet
    private let rows: SoupRows

    init(_ client: ODataClient, _ set: MappedEntitySet) {
        self.client = client
        self.set = set
        rows = SoupRows(client.store, soup: set.soup)
    }

    /// Renews the keys of the rows whose properties have all parts of the new one. Clean rows stay under their former
    /// keys until the load ends.
    func run() throws(Fault) {
        for changed in try client.changedRows(of: set) {
            try renew(changed)
        }
    }

    private func renew(_ changed: ChangedRow) throws(Fault) {
        let former = changed.row.keyText
        guard !LocalId.isLocal(former), let key = newKey(of: changed), ByteKey(key) != ByteKey(former),
            try client.isFree(key, set)
        else { return }
        var row = changed.row
        row[RowMember.key] = .string(key)
        _ = try rows.write(row)
        guard var base = changed.base else { return }
        base[RowMember.key] = .string(key)
        base["_soupEntryId"] = row["_soupEntryId"]
        try Originals(client.store, soup: set.soup).keep(base, keyField: RowMember.key)
    }

    /// The key of the entity as the service knows it: that of the version which the changes started from. A new entity
    /// without all parts gets a local id.
    private func newKey(of changed: ChangedRow) -> String? {
        let known = changed.base?.properties(of: set) ?? changed.mine
        let key = try? StoredKey.text(of: known, set, version: client.map.version)
        return key ?? (changed.flags.isCreated ? LocalId.next(from: client.options.uuids) : nil)
    }
}
