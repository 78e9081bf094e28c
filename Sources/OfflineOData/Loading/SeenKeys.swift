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
        try registerSoup()
        var row = JSONObject([
            ("set", .string(set)), ("generation", .number(JSONNumber(generation))),
            ("page", .number(JSONNumber(page))), ("keys", .array(keys.map(JSONValue.string))),
        ])
        if let other {
            row["of"] = .string(other)
        }
        _ = try rows.write(row)
    }

    func registerSoup() throws(Fault) {
        try store.registerSoup(Self.soupName, indexSpecs: [.string("set"), .integer("page")])
    }

    /// The number of the page in rows that pushes, and loads of other sets, have added: while the load reads pages, and
    /// while it removes rows that no page has listed. The latter are read again for each step of that.
    private static let notedPage: Int64 = -1
    private static let laterPage: Int64 = -2
    private static let keysInNote = 1_000

    /// Lets a full load of a set that is under way count keys as met. Part of the caller's transaction.
    ///
    /// Keys go into the last row of their kind while it is short, each once: a load that has failed may never be
    /// continued, and pushes go on. O(n) in the number of noted keys where a row is added.
    ///
    /// During a reload that gives the rows keys of another form, only keys of rows count that wait for their entities.
    func note(_ keys: [String], of mapped: MappedEntitySet) throws(Fault) {
        let set = mapped.name
        guard let state = try LoadStates(store).state(of: set), state.isUnfinished, !state.isDelta else { return }
        let isPresent = try EntitySetRegistry(store).hasPresentKeys(mapped)
        let keys = isPresent ? keys : keys.filter(FormerKey.isFormer)
        let page = state.isRemoving ? Self.laterPage : Self.notedPage
        let last = try lastNote(set: set, generation: state.generation, page)
        let known = last?["keys"]?.array ?? []
        var all = Set(known.map { ByteKey($0.string ?? "") })
        var new = keys.filter { all.insert(ByteKey($0)).inserted }
        guard !new.isEmpty else { return }
        if var row = last, known.count + new.count <= Self.keysInNote {
            row["keys"] = .array(known + new.map(JSONValue.string))
            _ = try rows.write(row)
            return
        }
        if last != nil {
            let noted = try noted(set: set, generation: state.generation, page)
            new = new.filter { !noted.contains(ByteKey($0)) }
        }
        try add(new, set: set, generation: state.generation, page: page)
    }

    /// The last row with keys that others have added to a generation.
    private func lastNote(set: String, generation: Int64, _ page: Int64) throws(Fault) -> JSONObject? {
        guard try store.soupExists(Self.soupName) else { return nil }
        let found = try store.rows(
            "SELECT {\(Self.soupName):_soup} FROM {\(Self.soupName)} WHERE {\(Self.soupName):set} = ? "
                + "AND {\(Self.soupName):page} = ? ORDER BY {\(Self.soupName):_soupEntryId} DESC",
            arguments: [.text(set), .integer(page)], limit: 1)
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
    }

    /// All keys of a generation. Rows are read one by one.
    func keys(set: String, generation: Int64) throws(Fault) -> Generation {
        var found = Generation()
        for id in try ids(of: set) {
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

    /// The keys that pushes, and loads of other sets, have added to a generation since its pages are saved.
    func notedLater(set: String, generation: Int64) throws(Fault) -> Set<ByteKey> {
        try noted(set: set, generation: generation, Self.laterPage)
    }

    private func noted(set: String, generation: Int64, _ page: Int64) throws(Fault) -> Set<ByteKey> {
        guard try store.soupExists(Self.soupName) else {
            return []
        }
        let found = try store.rows(
            "SELECT {\(Self.soupName):_soup} FROM {\(Self.soupName)} WHERE {\(Self.soupName):set} = ? "
                + "AND {\(Self.soupName):page} = ?",
            arguments: [.text(set), .integer(page)], limit: 1_000_000)
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

    /// Forgets what loads of a set have met, and what they have left.
    func removeAll(of set: String) throws(Fault) { try remove(try ids(of: set)) }

    /// Forgets what loads of a set have met, because another one begins. What they have left stays.
    func removeKeys(of set: String) throws(Fault) {
        guard try store.soupExists(Self.soupName) else { return }
        let left = try rows.ids(where: "page", isOneOf: [.integer(LeftMembers.page)])
        let kept = Set(left)
        try remove(try ids(of: set).filter { !kept.contains($0) })
    }

    private func remove(_ ids: [Int64]) throws(Fault) {
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
