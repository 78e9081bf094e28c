import JSONText
import LocalChanges
import OfflineStore
import Soups

/// What only rows have whose entities a load has removed together with others. An entity that has moved comes with
/// another one on a later page, and its row gets these members back.
///
/// They are kept in the soup `odata_seen` until a load of the set is done, their entity comes or is deleted, or the
/// soup of their rows is cleared or removed. A soup that had no other row cannot be told from a cleared one: it counts
/// as one that was not cleared.
struct LeftMembers: Sendable {
    private let store: SmartStore
    /// The name of the set that is loaded.
    private let set: String
    /// What rows have left, by the names of their sets.
    private var soups: [ByteKey: Left] = [:]
    /// What is not written yet.
    private var new: [JSONValue] = []

    /// What the rows of one set have left.
    private struct Left {
        let soup: String
        /// The number of the soup, which tells it from a former one of its name; nil if that is not known.
        var soupId: Int64?
        /// The last id in the soup when that was noted last; 0 if the soup was empty, or if that is not known.
        var lastId: Int64 = 0
        /// The members of each row, by key.
        var members: [ByteKey: JSONObject] = [:]
    }

    /// The number of the page in rows with such members. No page has it.
    static let page: Int64 = -3

    /// Reads what loads of a set have left.
    init(_ store: SmartStore, _ map: EntitySetMap, set: String) throws(Fault) {
        self.store = store
        self.set = set
        guard try store.soupExists(SeenKeys.soupName) else { return }
        let soup = SeenKeys.soupName
        let found = try store.rows(
            "SELECT {\(soup):_soup} FROM {\(soup)} WHERE {\(soup):set} = ? AND {\(soup):page} = ? "
                + "ORDER BY {\(soup):_soupEntryId}",
            arguments: [.text(set), .integer(Self.page)], limit: Int(Int32.max))
        for cells in found {
            let row = try SoupRows.object(ofRow: cells)
            for left in row["left"]?.array ?? [] {
                guard let other = left["of"]?.string.flatMap(map.find), let key = left["key"]?.string else { continue }
                soups[ByteKey(other.name), default: Left(soup: other.soup)].members[ByteKey(key)] =
                    left["members"]?.object
            }
            for (name, id) in row["lastIds"]?.object?.members ?? [] {
                soups[ByteKey(name)]?.lastId = id.int64 ?? 0
            }
            for (name, id) in row["soupIds"]?.object?.members ?? [] {
                soups[ByteKey(name)]?.soupId = id.int64
            }
        }
        try forgetCleared()
    }

    /// Forgets what rows of a set have left in loads of any set, because their keys are of a former form.
    static func forgetAll(of left: MappedEntitySet, _ store: SmartStore, _ map: EntitySetMap) throws(Fault) {
        let soup = SeenKeys.soupName
        guard try store.soupExists(soup) else { return }
        let found = try store.rows(
            "SELECT DISTINCT {\(soup):set} FROM {\(soup)} WHERE {\(soup):page} = ?", arguments: [.integer(page)],
            limit: Int(Int32.max))
        for cells in found {
            guard case .value(.text(let name))? = cells.first else { continue }
            var members = try LeftMembers(store, map, set: String(decoding: name, as: UTF8.self))
            let keys = members.soups[ByteKey(left.name)].map { Array($0.members.keys) } ?? []
            for key in keys {
                members.forget(key.text, of: left)
            }
            try members.write()
        }
    }

    /// The members of the row that the entity of a set had; nil without any.
    subscript(_ key: String, _ set: MappedEntitySet) -> JSONObject? {
        soups[ByteKey(set.name)]?.members[ByteKey(key)]
    }

    /// Keeps the members of a row that is removed. Later ones of an entity replace those before.
    mutating func keep(_ row: JSONObject, of set: MappedEntitySet) {
        let own = row.removing { !set.isLocalOnly($0) || ReservedField.isReserved($0) }
        // A row that has lost its own members does not get former ones back.
        guard !own.isEmpty else { return forget(row.keyText, of: set) }
        soups[ByteKey(set.name), default: Left(soup: set.soup)].members[ByteKey(row.keyText)] = own
        new.append(
            .object(["of": .string(set.name), "key": .string(row.keyText), "members": .object(own)]))
    }

    /// Forgets the members of a row: it has got them back, or its entity was deleted.
    mutating func forget(_ key: String, of set: MappedEntitySet) {
        guard soups[ByteKey(set.name)]?.members.removeValue(forKey: ByteKey(key)) != nil else { return }
        new.append(.object(["of": .string(set.name), "key": .string(key)]))
    }

    /// Forgets the members of rows whose soup was cleared or removed: all rows are gone that were there when they were
    /// kept. Before each page.
    mutating func forgetCleared() throws(Fault) {
        for (name, left) in soups where !left.members.isEmpty {
            guard try isCleared(left) else { continue }
            soups[name] = Left(soup: left.soup)
            new += left.members.keys.map { .object(["of": .string(name.text), "key": .string($0.text)]) }
        }
    }

    private func isCleared(_ left: Left) throws(Fault) -> Bool {
        if let soupId = left.soupId, try store.soupId(left.soup) != soupId {
            return true
        }
        guard left.lastId > 0 else { return false }
        return try !hasRows(left.soup, upTo: left.lastId)
    }

    private func hasRows(_ soup: String, upTo lastId: Int64) throws(Fault) -> Bool {
        guard try store.soupExists(soup) else { return false }
        let first = try store.rows(
            "SELECT {\(soup):_soupEntryId} FROM {\(soup)} ORDER BY {\(soup):_soupEntryId}", limit: 1)
        guard case .value(.integer(let id))? = first.first?.first else { return false }
        return id <= lastId
    }

    private func lastId(of soup: String) throws(Fault) -> Int64 {
        guard try store.soupExists(soup) else { return 0 }
        let last = try store.rows(
            "SELECT {\(soup):_soupEntryId} FROM {\(soup)} ORDER BY {\(soup):_soupEntryId} DESC", limit: 1)
        guard case .value(.integer(let id))? = last.first?.first else { return 0 }
        return id
    }

    /// Writes what was kept and forgotten. At the end of the transaction of a page, which may have removed the rows
    /// that showed that a soup was not cleared.
    mutating func write() throws(Fault) {
        var (lastIds, soupIds): ([(String, JSONValue)], [(String, JSONValue)]) = ([], [])
        for (name, left) in soups where !left.members.isEmpty {
            if let soupId = try store.soupId(left.soup), soupId != left.soupId {
                soups[name]?.soupId = soupId
                soupIds.append((name.text, .number(JSONNumber(soupId))))
            }
            let isShown = left.lastId > 0 ? try hasRows(left.soup, upTo: left.lastId) : false
            guard !isShown || !new.isEmpty else { continue }
            let lastId = try lastId(of: left.soup)
            if lastId != left.lastId {
                soups[name]?.lastId = lastId
                lastIds.append((name.text, .number(JSONNumber(lastId))))
            }
        }
        guard !new.isEmpty || !lastIds.isEmpty || !soupIds.isEmpty else { return }
        try SeenKeys(store).registerSoup()
        let row = JSONObject([
            ("set", .string(set)), ("page", .number(JSONNumber(Self.page))), ("left", .array(new)),
            ("lastIds", .object(JSONObject(lastIds))), ("soupIds", .object(JSONObject(soupIds))),
        ])
        _ = try SoupRows(store, soup: SeenKeys.soupName).write(row)
        new = []
    }
}
