import LocalChanges
import OfflineStore
import Soups

/// Finds rows of children by their parents.
struct TreeRows {
    private let target: ParentChildrenDown
    private let store: SmartStore

    init(_ target: ParentChildrenDown, _ context: DownContext) {
        self.target = target
        store = context.store
    }

    /// A row of a child.
    struct Child {
        let entryId: Int64
        let parent: RecordId?
        let isDirty: Bool
    }

    /// The parents among some that have a child with local changes.
    func parentsOfDirtyChildren(among parents: [RecordId]) throws(Fault) -> Set<RecordId> {
        var ids: [String: RecordId] = [:]
        for parent in parents {
            for form in parent.forms {
                ids[form] = parent
            }
        }
        return Set(try children(of: parents).filter(\.isDirty).compactMap { $0.parent.flatMap { ids[$0.text] } })
    }

    /// The rows of the children of some parents.
    func children(of parents: [RecordId]) throws(Fault) -> [Child] {
        let found = try store.lookUp(
            parents.map(\.key), path: target.parentIdField, in: target.children.soup,
            selecting: ["_soupEntryId", target.parentIdField, ReservedField.local])
        return found.compactMap { cells in
            guard cells.count == 3, case .value(.integer(let entryId)) = cells[0] else { return nil }
            return Child(
                entryId: entryId, parent: RecordId(cell: cells[1]), isDirty: FlagCondition.isSet(cells[2]))
        }
    }
}
