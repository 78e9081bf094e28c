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
    /// Throws `invalidEntry` if there is none; `metadataChanged` for a key by which a row was found that may be the one
    /// of another entity.
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
                    try requireKey(text, of: row, set)
                    return row
                }
            }
        }
        throw Fault(
            .invalidEntry, "the entity set \(set.name) has no row with this key or id; it may have been removed",
            context: [.soup(set.soup)])
    }

    /// Requires that a row which was found by a key text is that of the entity. After a change of the key, another
    /// entity may have the text until the set is loaded again.
    private func requireKey(_ text: String, of row: JSONObject, _ set: MappedEntitySet) throws(Fault) {
        guard !LocalId.isLocal(text), !FormerKey.isFormer(text), try !registry.hasPresentKeys(set) else { return }
        let own = try? StoredKey.text(of: row.properties(of: set), set, version: map.version)
        if own.map({ ByteKey($0) }) != ByteKey(text) {
            try registry.requireKeys(of: set)
        }
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
