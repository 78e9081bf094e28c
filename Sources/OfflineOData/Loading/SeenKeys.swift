import JSONText
import LocalChanges
import OfflineStore
import Soups

/// The keys that a full load has met, as the soup `odata_seen` keeps them until the load ends: one row for each page.
struct SeenKeys: Sendable {
    static let soupName = "odata_seen"
    let store: SmartStore
    private let rows: SoupRows

    init(_ store: SmartStore) {
        self.store = store
        rows = SoupRows(store, soup: Self.soupName)
    }

    /// Notes the keys of a page. Part of the transaction of the page.
    ///
    /// - Parameter other: The set of the keys, if they came expanded in entities of the loaded one.
    func add(
        _ keys: [String], of other: String? = nil, set: String, generation: Int64, page: Int64
    ) throws(Fault) {
        guard !keys.isEmpty else { return }
        try store.registerSoup(Self.soupName, indexSpecs: [.string("set"), .integer("page")])
        var row = JSONObject([
            ("set", .string(set)), ("generation", .number(JSONNumber(generation))),
            ("page", .number(JSONNumber(page))), ("keys", .array(keys.map(JSONValue.string))),
        ])
        if let other {
            row["of"] = .string(other)
        }
        _ = try rows.write(row)
    }

    /// Lets a full load of a set that is under way count keys as met. Part of the caller's transaction.
    ///
    /// Keys go into the last row of their kind while it is short, each once: a load that has failed may never be
    /// continued, and pushes go on.
    func note(_ keys: [String], set: String) throws(Fault) {
        guard let state = try LoadStates(store).state(of: set), state.isUnfinished, !state.isDelta else { return }
        // The end of a load looks for rows that are newer than those which it has read.
        guard !state.isRemoving, var row = try lastNote(set: set, generation: state.generation) else {
            return try add(keys, set: set, generation: state.generation, page: -1)
        }
        let known = row["keys"]?.array ?? []
        var all = Set(known.map { ByteKey($0.string ?? "") })
        let new = keys.filter { all.insert(ByteKey($0)).inserted }
        guard !new.isEmpty else { return }
        guard known.count + new.count <= Self.keysInNote else {
            return try add(new, set: set, generation: state.generation, page: -1)
        }
        row["keys"] = .array(known + new.map(JSONValue.string))
        _ = try rows.write(row)
    }

    private static let keysInNote = 1_000

    /// The last row with keys that pushes, and loads of other sets, have added to a generation.
    private func lastNote(set: String, generation: Int64) throws(Fault) -> JSONObject? {
        guard try store.soupExists(Self.soupName) else { return nil }
        let found = try store.rows(
            "SELECT {\(Self.soupName):_soup} FROM {\(Self.soupName)} WHERE {\(Self.soupName):set} = ? "
                + "AND {\(Self.soupName):page} = -1 ORDER BY {\(Self.soupName):_soupEntryId} DESC",
            arguments: [.text(set)], limit: 1)
        guard let cells = found.first else { return nil }
        let row = try SoupRows.object(ofRow: cells)
        return row["generation"]?.int64 == generation ? row : nil
    }

    /// The keys of a generation, packed.
    struct Generation {
        /// Those of the set.
        var keys = IdSet()
        /// Those of other sets that came expanded, by set.
        var expanded: [ByteKey: IdSet] = [:]
        /// The id of the last row that has some.
        var last: Int64 = 0
    }

    /// All keys of a generation. Rows are read one by one.
    func keys(set: String, generation: Int64) throws(Fault) -> Generation {
        var found = Generation()
        let ids = try ids(of: set)
        found.last = ids.max() ?? 0
        for id in ids {
            guard let row = try rows.row(id), row["generation"]?.int64 == generation else { continue }
            let other = row["of"]?.string
            for key in row["keys"]?.array ?? [] {
                if let other {
                    try found.expanded[ByteKey(other), default: IdSet()].insert(key.string ?? "")
                } else {
                    try found.keys.insert(key.string ?? "")
                }
            }
        }
        return found
    }

    /// The keys that pushes, and loads of other sets, have added to a generation in rows after one.
    func noted(set: String, generation: Int64, after last: Int64) throws(Fault) -> Set<ByteKey> {
        guard try store.soupExists(Self.soupName) else {
            return []
        }
        let found = try store.rows(
            "SELECT {\(Self.soupName):_soup} FROM {\(Self.soupName)} WHERE {\(Self.soupName):set} = ? "
                + "AND {\(Self.soupName):page} = -1 AND {\(Self.soupName):_soupEntryId} > ?",
            arguments: [.text(set), .integer(last)], limit: 1_000_000)
        var keys: Set<ByteKey> = []
        for cells in found {
            let row = try SoupRows.object(ofRow: cells)
            guard row["generation"]?.int64 == generation else { continue }
            for key in row["keys"]?.array ?? [] {
                keys.insert(ByteKey(key.string ?? ""))
            }
        }
        return keys
    }

    /// Forgets what loads of a set have met.
    func removeAll(of set: String) throws(Fault) {
        let ids = try ids(of: set)
        if !ids.isEmpty {
            try store.remove(ids: ids, from: Self.soupName)
        }
    }

    private func ids(of set: String) throws(Fault) -> [Int64] {
        guard try store.soupExists(Self.soupName) else {
            return []
        }
        return try rows.ids(where: "set", isOneOf: [.text(set)])
    }
}
