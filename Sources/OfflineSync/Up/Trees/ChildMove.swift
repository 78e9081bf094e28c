import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Writes the new id of a parent into the rows of its children, and into their originals. Inside the transaction that
/// gives the parent its id.
struct ChildMove {
    let trees: TreeParts
    let store: SmartStore

    /// Moves children from a former id to a new one.
    ///
    /// A soup of children that was removed has none.
    ///
    /// - Parameter known: The children whose service has the new id already. Others that are clean become updated, so
    ///   that they are sent with it.
    func move(from old: RecordId, to new: RecordId, known: Set<Int64>) throws(Fault) {
        guard old != new, try store.soupExists(trees.children.soup) else { return }
        let id: [UInt8] = new.isNumber ? Array(new.text.utf8) : JSONValue.string(new.text).bytes()
        let found = try store.lookUp(
            [old.key], path: trees.parentIdField, in: trees.children.soup, selecting: ["_soup", "_soupEntryId"])
        var rows: [[UInt8]] = []
        var moved: [Int64] = []
        for cells in found {
            guard case .entry(let bytes)? = cells.first, case .value(.integer(let entryId))? = cells.last else {
                continue
            }
            let text = try RowText(bytes)
            var flags = text.flags
            var changes: [(name: String, value: [UInt8]?)] = [(trees.parentIdField, id)]
            if !flags.isDirty, !known.contains(entryId) {
                flags.isUpdated = true
                changes += flags.changes
            }
            rows.append(text.replacing(changes))
            moved.append(entryId)
        }
        guard !rows.isEmpty else { return }
        try store.upsertIds(rows, into: trees.children.soup)
        // A change that is discarded later must not bring back an id that no parent has.
        let value = (try? JSONValue(parsing: id)) ?? .string(new.text)
        try Originals(store, soup: trees.children.soup).replace(trees.parentIdField, old.text, by: value, of: moved)
    }
}
