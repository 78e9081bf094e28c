import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Gives rows of a set keys of the present form, when the set is loaded again because its metadata has another key.
/// Every call is inside a transaction of the caller.
///
/// Without that, an entity would arrive as a second row, and the change of the first one could never be sent. The new
/// key of one row may be the former key of another, so all new keys are found before the first one is written.
struct KeyRenewal {
    private let client: ODataClient
    private let set: MappedEntitySet
    private let rows: SoupRows
    /// The rows that get other keys, by the new ones.
    private var renewals: [ByteKey: Renewal] = [:]
    /// The keys of rows with local changes that keep them.
    private var keptKeys: Set<ByteKey> = []
    /// Clean rows whose keys others get. The load brings their entities again.
    private var removedIds: [Int64] = []

    private struct Renewal {
        let entryId: Int64
        let former: ByteKey
        let key: String
        let isChanged: Bool
    }

    private static let rowsAtOnce = 200

    init(_ client: ODataClient, _ set: MappedEntitySet) {
        self.client = client
        self.set = set
        rows = SoupRows(client.store, soup: set.soup)
    }

    /// Renews the keys of the rows whose properties have all parts of the new one: of those with local changes, and of
    /// those with members that no load brings. Other clean rows keep their former keys until the load ends, unless
    /// another row gets such a key.
    mutating func run() throws(Fault) {
        try addChangedRows()
        if !set.settings.localOnly.isEmpty {
            try addRowsWithLocalMembers()
        }
        try addRowsInTheWay()
        try write()
    }

    // MARK: - Finding the new keys

    private mutating func addChangedRows() throws(Fault) {
        var found: [Renewal] = []
        var kept: [ByteKey] = []
        try client.readChangedRows(of: set) { (page) throws(Fault) in
            for changed in page {
                let former = ByteKey(changed.row.keyText)
                if let key = newKey(of: changed), ByteKey(key) != former {
                    found.append(
                        Renewal(entryId: changed.row.entryId ?? 0, former: former, key: key, isChanged: true))
                } else {
                    kept.append(former)
                }
            }
        }
        for renewal in found {
            guard renewals[ByteKey(renewal.key)] == nil else {
                kept.append(renewal.former)
                continue
            }
            renewals[ByteKey(renewal.key)] = renewal
        }
        // A row that cannot get its key keeps its former one, which then no other row can get.
        while let key = kept.popLast() {
            keptKeys.insert(key)
            if let stopped = renewals.removeValue(forKey: key) {
                kept.append(stopped.former)
            }
        }
    }

    /// The key of the entity as the service knows it: that of the version which the changes started from. A new entity
    /// without all parts gets a local id.
    private func newKey(of changed: ChangedRow) -> String? {
        guard !LocalId.isLocal(changed.row.keyText) else { return nil }
        let known = changed.base?.properties(of: set) ?? changed.mine
        return key(of: known) ?? (changed.flags.isCreated ? LocalId.next(from: client.options.uuids) : nil)
    }

    private func key(of properties: JSONObject) -> String? {
        try? StoredKey.text(of: properties, set, version: client.map.version)
    }

    private mutating func addRowsWithLocalMembers() throws(Fault) {
        let ids = try rows.ids(where: ReservedField.local, isOneOf: [.text("false")])
        for start in stride(from: 0, to: ids.count, by: Self.rowsAtOnce) {
            let part = Array(ids[start..<min(start + Self.rowsAtOnce, ids.count)])
            let found = try rows.rows(part)
            for row in part.compactMap({ found[$0] }) where row.names.contains(where: set.isLocalOnly) {
                addClean(row)
            }
        }
    }

    /// Adds the clean rows whose keys others get, and those whose keys these get.
    private mutating func addRowsInTheWay() throws(Fault) {
        var open = renewals.values.map(\.key)
        var removed: Set<Int64> = []
        while let key = open.popLast() {
            for row in try rows.rows(where: RowMember.key, is: .text(key)) where !LocalFlags(of: row).isDirty {
                guard let id = row.entryId, !removed.contains(id), !isRenewed(row) else { continue }
                if let next = addClean(row) {
                    open.append(next)
                } else {
                    removed.insert(id)
                }
            }
        }
        removedIds = removed.sorted()
    }

    /// Adds a clean row, and returns its new key; nil if it has none, or if another row has or gets that.
    @discardableResult
    private mutating func addClean(_ row: JSONObject) -> String? {
        guard let id = row.entryId, let key = key(of: row.properties(of: set)) else { return nil }
        let name = ByteKey(key)
        guard name != ByteKey(row.keyText), renewals[name] == nil, !keptKeys.contains(name) else { return nil }
        renewals[name] = Renewal(entryId: id, former: ByteKey(row.keyText), key: key, isChanged: false)
        return key
    }

    private func isRenewed(_ row: JSONObject) -> Bool {
        guard let key = key(of: row.properties(of: set)) else { return false }
        return renewals[ByteKey(key)]?.entryId == row.entryId
    }

    // MARK: - Writing them

    private func write() throws(Fault) {
        if !removedIds.isEmpty {
            try client.store.remove(ids: removedIds, from: set.soup)
        }
        for renewal in renewals.values.sorted(by: { $0.entryId < $1.entryId }) {
            guard var row = try rows.row(renewal.entryId) else { continue }
            row[RowMember.key] = .string(renewal.key)
            _ = try rows.write(row)
            guard renewal.isChanged else { continue }
            let originals = Originals(client.store, soup: set.soup)
            guard var base = try originals.original(of: renewal.entryId) else { continue }
            base[RowMember.key] = .string(renewal.key)
            base["_soupEntryId"] = row["_soupEntryId"]
            try originals.keep(base, keyField: RowMember.key)
        }
    }
}
