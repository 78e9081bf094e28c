import JSONText
import LocalChanges
import OfflineStore
import Soups

/// What only rows have whose entities a load has removed together with others. An entity that has moved comes with
/// another one on a later page, and its row gets these members back.
///
/// They are kept in the soup `odata_seen` until a load of the set is done.
struct LeftMembers: Sendable {
    private let store: SmartStore
    /// The name of the set that is loaded.
    private let set: String
    /// The members of each row, by the names of `SavedKeys`.
    private var members: [ByteKey: JSONObject] = [:]
    /// What is not written yet.
    private var new: [JSONValue] = []

    /// The number of the page in rows with such members. No page has it.
    static let page: Int64 = -3

    /// Reads what loads of a set have left.
    init(_ store: SmartStore, set: String) throws(Fault) {
        self.store = store
        self.set = set
        guard try store.soupExists(SeenKeys.soupName) else { return }
        let soup = SeenKeys.soupName
        let found = try store.rows(
            "SELECT {\(soup):_soup} FROM {\(soup)} WHERE {\(soup):set} = ? AND {\(soup):page} = ? "
                + "ORDER BY {\(soup):_soupEntryId}",
            arguments: [.text(set), .integer(Self.page)], limit: Int(Int32.max))
        for cells in found {
            for left in try SoupRows.object(ofRow: cells)["left"]?.array ?? [] {
                guard let set = left["of"]?.string, let key = left["key"]?.string else { continue }
                members[SavedKeys.name(key, set)] = left["members"]?.object
            }
        }
    }

    /// The members of the row that the entity of a set had; nil if it had none.
    subscript(_ key: String, _ set: MappedEntitySet) -> JSONObject? { members[SavedKeys.name(key, set.name)] }

    /// Keeps the members of a row that is removed. Later ones of an entity replace those before.
    mutating func keep(_ row: JSONObject, of set: MappedEntitySet) {
        let own = row.removing { !set.isLocalOnly($0) || ReservedField.isReserved($0) }
        let name = SavedKeys.name(row.keyText, set.name)
        // A row that has none any more does not get former ones back.
        guard !own.isEmpty || members[name] != nil else { return }
        members[name] = own
        new.append(
            .object(["of": .string(set.name), "key": .string(row.keyText), "members": .object(own)]))
    }

    /// Writes what was kept. Part of the transaction of the page.
    mutating func write() throws(Fault) {
        guard !new.isEmpty else { return }
        try SeenKeys(store).registerSoup()
        let row = JSONObject([
            ("set", .string(set)), ("page", .number(JSONNumber(Self.page))), ("left", .array(new)),
        ])
        _ = try SoupRows(store, soup: SeenKeys.soupName).write(row)
        new = []
    }
}
