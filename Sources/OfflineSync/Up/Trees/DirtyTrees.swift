import LocalChanges
import OfflineStore
import Soups

/// Finds the trees with local changes: parents that were changed, and parents of children that were. Two walks over
/// indexes; of each tree only the entry id of its parent is kept.
struct DirtyTrees: Sendable {
    /// The entry ids of the parents, in their order.
    let parents: [Int64]
    /// The changed children whose parent the soup does not have.
    let orphans: [Int64]

    init(_ trees: TreeParts, _ store: SmartStore) throws(Fault) {
        var found: [Int64] = []
        var orphans: [Int64] = []
        var rows = try DirtyRows(store, soup: trees.parent.soup)
        while true {
            let page = try rows.next()
            guard !page.isEmpty else { break }
            found += page
        }
        let condition = try FlagCondition(SoupCheck(store, soup: trees.children.soup))
        var walk = RowWalk(store, condition, idField: trees.parentIdField)
        let dirty = ("\(condition.column(ReservedField.local)) = ?", [condition.value(true)])
        while !walk.isAtEnd {
            let page = try walk.next(dirty)
            let known = try Self.parents(of: page.compactMap(\.id), trees, store)
            for child in page {
                if let parent = child.id.flatMap({ known[$0] }) {
                    found.append(parent)
                } else {
                    orphans.append(child.entryId)
                }
            }
            found = found.sortedWithoutRepetition
        }
        parents = found.sortedWithoutRepetition
        self.orphans = orphans
    }

    private static func parents(
        of ids: [RecordId], _ trees: TreeParts, _ store: SmartStore
    ) throws(Fault) -> [RecordId: Int64] {
        let found = try store.lookUp(
            Set(ids).map(\.key), path: trees.parent.idField, in: trees.parent.soup,
            selecting: [trees.parent.idField, "_soupEntryId"])
        var parents: [RecordId: Int64] = [:]
        for cells in found {
            guard let id = cells.first.flatMap(RecordId.init(cell:)), case .value(.integer(let entryId))? = cells.last
            else { continue }
            parents[id] = parents[id] ?? entryId
        }
        return parents
    }
}
