import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Takes the keys of a former form from the rows of a set that have something of their own, when the set is loaded
/// again because its metadata has another key. Every call is inside a transaction of the caller.
///
/// The new key of one row may be the former key of another, and a row that was loaded without a part of the new key
/// gets one only when its entity comes. So each of these rows first gets a key that no entity has (`FormerKey`), and
/// then its new one if that is known. No entity can be taken for another one in between, whatever their order is.
struct KeyRenewal: Sendable {
    private let client: ODataClient
    private let set: MappedEntitySet
    /// The keys that changed rows had when they were looked at, by their ids.
    private var known: [Int64: ByteKey] = [:]

    private static let rowsAtOnce = 200

    /// Nil if the rows of the set have keys of the present form.
    init?(_ client: ODataClient, _ set: MappedEntitySet) throws(Fault) {
        guard !set.isSingleton, try !client.registry.hasPresentKeys(set) else { return nil }
        self.client = client
        self.set = set
    }

    /// Renews the keys of the rows that have had local changes since the last call, and, before the first page, of all
    /// rows of a set with members that no load brings. Other clean rows keep their former keys until the load ends,
    /// unless another row gets such a key.
    ///
    /// - Returns: Clean rows of the present form that changed rows have replaced. What is in them has come after the
    ///   versions that the changes started from.
    mutating func run(isFirst: Bool = false) throws(Fault) -> [JSONObject] {
        let keys = try RowKeys(client, set)
        var new = try unknownIds(isChanged: true)
        if isFirst, !set.settings.localOnly.isEmpty {
            new += try unknownIds(isChanged: false)
        }
        var found: [(id: Int64, key: String)] = []
        for start in stride(from: 0, to: new.count, by: Self.rowsAtOnce) {
            let part = Array(new[start..<min(start + Self.rowsAtOnce, new.count)])
            var page = ChangedRowPage(client)
            try page.read(part, of: set)
            for id in part {
                guard let row = try page.row(id, of: set) else { continue }
                if let key = try park(try page.changedRow(row, of: set), keys) {
                    found.append((id, key))
                }
            }
        }
        var replaced: [JSONObject] = []
        for (id, key) in found {
            guard let row = try keys.rows.row(id), let other = try keys.give(key, to: row) else { continue }
            if LocalFlags(of: row).isDirty {
                replaced.append(other)
            }
        }
        return replaced
    }

    /// The ids of the rows, with or without local changes, that were not looked at with the keys that they have.
    private mutating func unknownIds(isChanged: Bool) throws(Fault) -> [Int64] {
        let found = try client.store.lookUp(
            [.text(String(isChanged))], path: ReservedField.local, in: set.soup,
            selecting: ["_soupEntryId", RowMember.key])
        return found.compactMap { cells in
            guard cells.count == 2, case .value(.integer(let id)) = cells[0], case .value(.text(let text)) = cells[1]
            else { return nil }
            let key = ByteKey(String(decoding: text, as: UTF8.self))
            return known.updateValue(key, forKey: id) == key ? nil : id
        }
    }

    /// Takes the key from a row if it is of a former form, and returns the one that it gets; nil if that is not known.
    private func park(_ changed: ChangedRow, _ keys: RowKeys) throws(Fault) -> String? {
        let row = changed.row
        guard !LocalId.isLocal(row.keyText) else { return nil }
        let known = changed.base?.properties(of: set) ?? changed.mine
        let key = keys.key(of: known)
        guard key.map({ ByteKey($0) }) != ByteKey(row.keyText) else { return nil }
        if !FormerKey.isFormer(row.keyText) {
            try keys.park(row, known: known)
        }
        if let key {
            return key
        }
        return changed.flags.isCreated ? LocalId.next(from: client.options.uuids) : try loadedKey(known, keys)
    }

    /// The key of an entity that the load has brought before its row was changed; nil if it has not, or if no index
    /// finds it.
    private func loadedKey(_ known: JSONObject, _ keys: RowKeys) throws(Fault) -> String? {
        let wanted = FormerKey(keys.formerNames, of: known, set)
        return try wanted?.loadedRows(of: set, client.store, known).first(where: keys.hasPresentKey)?.keyText
    }
}
