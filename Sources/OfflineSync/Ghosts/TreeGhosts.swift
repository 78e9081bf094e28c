import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Removes the ghosts of trees: parents that are gone with their children, then children that are gone.
struct TreeGhosts: Sendable {
    private let target: ParentChildrenDown
    private let context: DownContext
    private let rows: GhostRun

    init(_ target: ParentChildrenDown, context: DownContext) {
        self.target = target
        self.context = context
        rows = GhostRun(target, context: context)
    }

    /// Removes ghosts and returns how many parents.
    func run() async throws -> Int {
        let (target, context) = (target, context)
        let hasParents = try await rows.hasCleanRows(target.parent.soup, idField: target.parent.id)
        let hasChildren = try await rows.hasCleanRows(target.children.soup, idField: target.children.id)
        guard hasParents || hasChildren else { return 0 }
        let parents = try await GhostRun.collect(context) { try await target.remoteIds(context, $0) }
        let children = try await GhostRun.collect(context) { try await target.remoteChildIds(context, $0) }
        let removed = try await rows.remove(notIn: parents, soup: target.parent.soup, idField: target.parent.id) {
            gone in
            try Self.removeTrees(gone, target, context)
        }
        _ = try await rows.remove(notIn: children, soup: target.children.soup, idField: target.children.id) { gone in
            try Self.removeChildren(gone, livingParents: parents, target, context)
        }
        return removed
    }

    /// Removes children. Those of a parent that is gone and was kept, because its tree has local changes, stay with it.
    private static func removeChildren(
        _ gone: [RowWalk.Row], livingParents: IdSet, _ target: ParentChildrenDown, _ context: DownContext
    ) throws(Fault) -> Int {
        var parents: [Int64: RecordId] = [:]
        for bytes in try context.store.retrieve(ids: gone.map(\.entryId), from: target.children.soup) {
            let row = try SoupRows.object(of: bytes)
            let value = row[target.parentIdField]
            if let id = row.entryId, let parent = value?.string ?? value?.number?.text {
                parents[id] = RecordId(parent, isNumber: value?.number != nil)
            }
        }
        let suspects = Set(parents.values.filter { id in !id.forms.contains { livingParents.contains($0) } })
        let kept = try context.store.lookUp(
            suspects.map(\.key), path: target.parent.id, in: target.parent.soup, selecting: [target.parent.id])
        let keptParents = Set(kept.compactMap { $0.first.flatMap(RecordId.init(cell:))?.text })
        let going = gone.filter { row in
            parents[row.entryId].map { $0.forms.allSatisfy { !keptParents.contains($0) } } ?? true
        }
        try GhostRun.remove(going, target.children.soup, context.store)
        return going.count
    }

    /// Removes parents with their children; a tree that has a child with local changes stays whole.
    private static func removeTrees(
        _ gone: [RowWalk.Row], _ target: ParentChildrenDown, _ context: DownContext
    ) throws(Fault) -> Int {
        let children = try TreeRows(target, context).children(of: gone.compactMap(\.id))
        let fates = try fates(of: children, target, context)
        let kept = Set(children.filter { fates[$0.entryId] == .keepsTree }.compactMap(\.parent))
        let whole = gone.filter { row in row.id.map { !kept.contains($0) } ?? false }
        let going = children.filter { child in
            guard fates[child.entryId] == .goes, let parent = child.parent else { return false }
            return !kept.contains(parent)
        }
        try GhostRun.remove(whole, target.parent.soup, context.store)
        try GhostRun.remove(
            going.map { RowWalk.Row(entryId: $0.entryId, id: nil) }, target.children.soup, context.store)
        return whole.count
    }

    /// What becomes of a child whose parent is gone.
    private enum Fate {
        /// It is removed with its parent.
        case goes
        /// No sync brought it, so it stays although its parent goes.
        case stays
        /// It has local changes or is in doubt, so its parent stays as well.
        case keepsTree
    }

    /// The fates of children by their entry ids.
    private static func fates(
        of children: [TreeRows.Child], _ target: ParentChildrenDown, _ context: DownContext
    ) throws(Fault) -> [Int64: Fate] {
        var fates: [Int64: Fate] = [:]
        let rows = try GhostRun.currentRows(children.map(\.entryId), target.children.soup, context.store)
        for current in rows {
            if current.hasChanges {
                fates[current.entryId] = .keepsTree
            } else {
                fates[current.entryId] = isBrought(current.row, idField: target.children.id) ? .goes : .stays
            }
        }
        return fates
    }

    /// Whether a row without local changes came from the service: it has a flag that says so, and an id of the service.
    private static func isBrought(_ row: JSONObject, idField: String) -> Bool {
        guard let flag = row[ReservedField.local], !flag.isNull else { return false }
        return row[idField]?.string.map { !LocalId.isLocal($0) } ?? true
    }
}
