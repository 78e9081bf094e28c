import JSONText
import OfflineStore
import Soups

/// Tells a soup from a former one of its name, in rows that other soups keep about its entries.
///
/// A soup that is removed and registered again gives its first entry the id 1 once more. Name and entry id alone would
/// join what is kept about an entry of the former soup with an entry of the new one. Rows of former versions, which do
/// not have the member, count as rows of the present soup.
struct SoupIdentity {
    /// The member with the number of the soup, which is never reused.
    static let member = "soupId"

    private let id: Int64?

    /// Reads the number of a soup. If the soup does not exist, all rows count as its own.
    init(_ store: SmartStore, soup: String) throws(Fault) { id = try store.soupId(soup) }

    /// The row with the number of the soup in it.
    func marked(_ row: JSONObject) -> JSONObject {
        guard let id else { return row }
        var marked = row
        marked[Self.member] = .number(JSONNumber(id))
        return marked
    }

    /// Whether a row was kept for a former soup of this name.
    func isFormer(_ row: JSONObject) -> Bool {
        guard let id, let kept = row[Self.member]?.int64 else { return false }
        return kept != id
    }
}
