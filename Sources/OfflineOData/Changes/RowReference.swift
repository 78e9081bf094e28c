public import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Names a row of an entity set.
public enum RowReference: Sendable {
    /// The row of the entity with a key: a value, an object with the parts, a local id, or a key text.
    case key(JSONValue)
    /// The row with an id.
    case entryId(Int64)
}

extension ODataClient {
    /// The row that a reference names.
    ///
    /// Throws `invalidEntry` if there is none.
    func row(_ reference: RowReference, of set: MappedEntitySet) throws(Fault) -> JSONObject {
        let rows = SoupRows(store, soup: set.soup)
        switch reference {
        case .entryId(let id):
            if let row = try rows.row(id) {
                return row
            }
        case .key(let key):
            for text in try keyTexts(of: key, set) {
                if let row = try rows.rows(where: RowMember.key, is: .text(text)).first {
                    return row
                }
            }
        }
        throw Fault(
            .invalidEntry, "the entity set \(set.name) has no row with this key or id; it may have been removed",
            context: [.soup(set.soup)])
    }

    /// The texts that a key may have: a text may be the value of a key, or be a key text already.
    private func keyTexts(of key: JSONValue, _ set: MappedEntitySet) throws(Fault) -> [String] {
        guard let text = key.string else {
            return [try StoredKey.text(of: key, set, version: map.version)]
        }
        if LocalId.isLocal(text) {
            return [text]
        }
        let value = try? StoredKey.text(of: key, set, version: map.version)
        return [value, text].compactMap(\.self)
    }
}
