import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Saves what became of the rows of a tree: the outcomes of both soups, the parent's new id in all its children, and
/// the children that go with their parent. Inside one transaction.
struct TreeSaver: Sendable {
    let trees: TreeParts
    let store: SmartStore
    let uuids: UUIDSource

    func save(_ outcomes: TreeOutcomes, _ tree: TreeState) throws(Fault) -> UpEffects {
        var effects = outcomes.effects
        // The service has created or deleted the parent, also if its row was removed in the meantime.
        let former = try parentText(of: tree) ?? tree.parent
        effects.add(try saver(trees.parent).save(outcomes.parents))
        effects.add(try saver(trees.children).save(outcomes.children))
        guard let old = trees.parent.rowId(former) else { return effects }
        let isPresent = try trees.children.isPresent(in: store)
        // Entry ids say nothing about rows of a soup that has replaced the former one.
        let known = isPresent ? Set(outcomes.children.filter(\.isSettled).map(\.record.entryId)) : []
        for item in outcomes.parents {
            switch item.settlement {
            case .created(let id):
                if try hasParentIds(trees.children.soup, isPresent: isPresent) {
                    try ChildMove(trees: trees, store: store).move(from: old, to: RecordId(id), known: known)
                }
            case .done where item.record.operation == .delete:
                if isPresent {
                    try follow(old, tree, &effects)
                }
            case .done, .applied, .refused, .kept: break
            }
        }
        return effects
    }

    /// Whether children can be found by the id of their parent. A soup that has replaced the former one may lack the
    /// index; for the soup with which the run began that is a fault, which the search throws.
    private func hasParentIds(_ soup: String, isPresent: Bool) throws(Fault) -> Bool {
        guard !isPresent else { return true }
        return try SoupRows(store, soup: soup).canFind(by: trees.parentIdField)
    }

    /// Saves the rows whose changes the service has already.
    func save(_ applied: [TreeQuestion.Applied]) throws(Fault) -> UpEffects {
        var effects = UpEffects()
        for row in applied {
            let saver = saver(row.isParent ? trees.parent : trees.children)
            effects.add(try saver.save([.init(record: row.record, settlement: .applied(date: row.date))]))
            effects.summary.applied += 1
        }
        return effects
    }

    /// The parent's row as it is now; nil if it was removed.
    private func parentText(of tree: TreeState) throws(Fault) -> RowText? {
        guard try trees.parent.isPresent(in: store) else { return nil }
        return try trees.text(tree.parentEntryId, isParent: true, store)
    }

    private func saver(_ part: UpPart) -> OutcomeSaver { OutcomeSaver(part: part, store: store, uuids: uuids) }

    /// Lets children follow a parent that was deleted: master and detail go together. If the parent's row was undeleted
    /// in the meantime, it is a new one, and so are its details.
    private func follow(_ old: RecordId, _ tree: TreeState, _ effects: inout UpEffects) throws(Fault) {
        let survivor = try parentText(of: tree).flatMap { trees.parent.rowId($0) }
        guard trees.isMasterDetail else {
            if let survivor {
                try ChildMove(trees: trees, store: store).move(from: old, to: survivor, known: [])
            }
            return
        }
        let found = try store.lookUp(
            [old.key], path: trees.parentIdField, in: trees.children.soup, selecting: ["_soup", "_soupEntryId"])
        guard let survivor else {
            let ids = found.compactMap { cells -> Int64? in
                guard case .value(.integer(let id))? = cells.last else { return nil }
                return id
            }
            try store.remove(ids: ids, from: trees.children.soup)
            try Originals(store, soup: trees.children.soup).remove(ids)
            try Outbox(store).remove(soup: trees.children.soup, entryIds: ids)
            effects.summary.removed += ids.count
            return
        }
        var rows: [[UInt8]] = []
        for cells in found {
            guard case .entry(let bytes)? = cells.first else { continue }
            var flags = LocalFlags()
            flags.isCreated = true
            let changes: [(name: String, value: [UInt8]?)] = [
                (trees.parentIdField, JSONValue.string(survivor.text).bytes()),
                (trees.children.idField, JSONValue.string(LocalId.next(from: uuids)).bytes()),
            ]
            rows.append(try RowText(bytes).replacing(changes + flags.changes))
        }
        try store.upsertIds(rows, into: trees.children.soup)
    }
}

extension OutcomeSaver.Item {
    /// Whether the service has what was sent.
    var isSettled: Bool {
        switch settlement {
        case .created, .done, .applied: true
        case .refused, .kept: false
        }
    }
}
