import LocalChanges
import Soups

/// An entity of a payload as the text of its clean row, without the fields of the store.
///
/// Most entities of a load are written as they came, or are in the store already. Their text is all that is needed.
struct ArrivedRow {
    /// The key text.
    let key: String
    let text: [UInt8]
    /// Members that were left out because their names belong to the row.
    let dropped: Int

    /// The text of the row that takes the place of a stored one.
    func text(withId id: Int64) -> [UInt8] { text.dropLast() + #","_soupEntryId":\#(id)}"#.utf8 }

    /// The entity, for a row that it has to be compared with.
    func entity() throws(Fault) -> ArrivedEntity {
        let row = try SoupRows.object(of: text)
        var entity = ArrivedEntity(
            key: key, properties: row.removing { RowMember.isForbidden($0) }, control: row.control)
        entity.dropped = dropped
        return entity
    }
}
