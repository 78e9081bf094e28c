import JSONText
import LocalChanges
import OfflineStore
import Soups

/// One run of a sync up over trees: parents with their children, one tree at a time.
final class TreeRun: SyncRun {
    private let trees: TreeParts
    private let context: UpContext
    private let progress: UpProgress
    private let options: SyncManagerOptions
    private let holdsDoubts: Bool
    private var store: SmartStore { context.store }

    init(
        _ trees: TreeParts, holdsDoubts: Bool, context: UpContext, progress: UpProgress, options: SyncManagerOptions
    ) {
        self.trees = trees
        self.holdsDoubts = holdsDoubts
        self.context = context
        self.progress = progress
        self.options = options
    }

    var finalState: SyncState { progress.finalState(context.link) }
    func end(_ error: any Error) { progress.end(error) }

    /// Runs to the end.
    func run() async throws {
        let (trees, store) = (trees, store)
        let dirty = try await store.readingToTheEnd { try DirtyTrees(trees, store) }
        progress.begin(total: dirty.parents.count)
        for child in dirty.orphans {
            progress.send(.childWithoutParent(soup: trees.children.soup, entryId: child))
        }
        for part in [trees.parent, trees.children] {
            try await OrphanedDoubts(store, soup: part.soup).forget(progress)
        }
        try await requireFields(dirty.parents)
        for parent in dirty.parents {
            try context.link.control.check()
            try await push(parent)
            progress.pass(1)
        }
        if !dirty.parents.isEmpty {
            // Also after the last tree, as a sync down looks after its last page.
            try context.link.control.check()
        }
        progress.finish()
    }

    /// Looks, before anything is sent, for a row of which no fields are named.
    private func requireFields(_ parents: [Int64]) async throws {
        let (trees, store, holdsDoubts) = (trees, store, holdsDoubts)
        guard trees.lacksFields else { return }
        try await store.readingToTheEnd {
            for parent in parents {
                guard let tree = try Self.tree(parent, trees, store, holdsDoubts: holdsDoubts), !tree.isHeld else {
                    continue
                }
                let sent = tree.members(trees).filter { !$0.isParent }
                let held =
                    holdsDoubts
                    ? try Outbox(store).noted(soup: trees.children.soup, among: sent.map(\.entryId)) : [:]
                let texts = Dictionary(tree.children.map { ($0.entryId, $0.text) }) { first, _ in first }
                for child in sent where held[child.entryId] == nil {
                    guard let text = texts[child.entryId] else { continue }
                    if case .clean = try trees.children.task(of: text), child.isMoved {
                        _ = try trees.children.fields(of: text, .update)
                    }
                }
            }
        }
    }

    /// A tree as it is now; nil if its parent was removed. What the parent asks for is not read where it is held.
    private static func tree(
        _ entryId: Int64, _ trees: TreeParts, _ store: SmartStore, holdsDoubts: Bool
    ) throws(Fault) -> TreeState? {
        guard let parent = try trees.text(entryId, isParent: true, store) else { return nil }
        // A clean parent may be noted too: as one that may have been created again.
        let isNoted = try !Outbox(store).noted(soup: trees.parent.soup, among: [entryId]).isEmpty
        var task = TreeState.ParentTask.nothing
        var error: LocalError?
        switch isNoted && holdsDoubts ? .clean : try trees.parent.task(of: parent) {
        case .clean: break
        case .nothing(let found): error = found
        case .removal: task = .removal
        case .record(let record):
            switch record.operation {
            case .create: task = .create
            case .update: task = .update
            case .delete: task = .delete
            }
        }
        var children: [(entryId: Int64, text: RowText)] = []
        for child in try trees.childIds(of: parent, store) {
            if let text = try trees.text(child, isParent: false, store) {
                children.append((child, text))
            }
        }
        let held =
            holdsDoubts
            ? try Outbox(store).noted(soup: trees.children.soup, among: children.map { $0.entryId }) : [:]
        return TreeState(
            parent: parent, parentEntryId: entryId, task: task, children: children, error: error, isNoted: isNoted,
            isHeld: isNoted && holdsDoubts, heldChildren: Set(held.keys))
    }

    // MARK: - One tree

    private func push(_ entryId: Int64) async throws {
        let (trees, store) = (trees, store)
        guard let tree = try await read(entryId), Self.hasChanges(tree) else { return }
        let preparation = preparation(of: tree)
        guard !tree.isHeld else {
            try await hold(tree, preparation)
            return
        }
        if tree.isNoted {
            _ = try await store.writingToTheEnd { try preparation.forget(tree.parent, entryId, trees.parent.soup) }
        }
        if let error = tree.error {
            try await settle {
                var call = TreeCallPreparation.Call()
                try preparation.refuse(tree.parent, entryId, error, trees.parent, &call)
                return call.effects
            }
        }
        // Nothing is sent of children that are held, so nothing is asked about them.
        guard context.mergeMode == .leaveIfChanged, Self.hasChanges(tree, besides: tree.heldChildren) else {
            try await send(tree)
            return
        }
        switch try await TreeQuestion(trees, context).verdict(tree) {
        case .push(let applied, let later):
            try await save(applied)
            // What is sent, and in which order, depends on what the parent asks for now: the app may have deleted it.
            // If its row was removed, its children are sent all the same: no later run finds them.
            let now = try await read(entryId) ?? tree
            // The question was not about children that the app has moved here since.
            let asked = Set(tree.children.map { $0.entryId })
            let arrived = now.children.map { $0.entryId }.filter { !asked.contains($0) }
            try await send(now, unasked: later.union(arrived))
        case .leave(let reason): leave(tree, reason)
        }
    }

    /// A tree as it is now; nil if its parent was removed.
    private func read(_ entryId: Int64) async throws -> TreeState? {
        let (trees, store, holdsDoubts) = (trees, store, holdsDoubts)
        return try await store.readingToTheEnd {
            try trees.requirePresent(in: store)
            return try Self.tree(entryId, trees, store, holdsDoubts: holdsDoubts)
        }
    }

    /// Sends the rows of a tree.
    ///
    /// - Parameter unasked: The children that are asked about just before a call of which they are the first.
    private func send(_ tree: TreeState, unasked: Set<Int64> = []) async throws {
        if tree.task == .removal {
            try await remove(tree)
        }
        let push = TreePush(
            trees: trees, tree: tree, preparation: preparation(of: tree), context: context, progress: progress,
            unasked: unasked)
        let gone = try await push.send(tree.members(trees))
        guard !gone.isEmpty else { return }
        if gone.parent {
            // A parent that the app has removed or deleted meanwhile is not created again, nor are its children.
            guard let now = try await read(tree.parentEntryId), [.update, .nothing].contains(now.task) else { return }
        }
        _ = try await push.send(again(gone, tree), after: gone)
    }

    /// Whether a row of the tree has local changes now. A tree that became clean since the run began is passed over:
    /// there is nothing to ask about it.
    private static func hasChanges(_ tree: TreeState, besides held: Set<Int64> = []) -> Bool {
        let children = tree.children.filter { !held.contains($0.entryId) }.map { $0.text }
        return ([tree.parent] + children).contains { $0.isTrue(ReservedField.local) }
    }

    private func preparation(of tree: TreeState) -> TreeCallPreparation {
        let (trees, store, options, holdsDoubts) = (trees, store, options, holdsDoubts)
        func batch(_ part: UpPart) -> BatchPreparation {
            BatchPreparation(
                part: part, store: store, syncId: context.syncId, limit: CompositeCall.greatestCount,
                holdsDoubts: holdsDoubts, uuids: options.uuids, now: options.clock.now())
        }
        return TreeCallPreparation(
            trees: trees, parentEntryId: tree.parentEntryId, formerParent: tree.parent,
            isParentLeaving: tree.task == .delete || tree.task == .removal, parent: batch(trees.parent),
            children: batch(trees.children))
    }

    /// The rows of a second run: a parent that was gone with all its children, or children alone.
    private func again(_ gone: TreePush.Gone, _ tree: TreeState) -> [TreeMember] {
        guard gone.parent else {
            return gone.children.map { TreeMember(entryId: $0, isParent: false, isRecreation: true) }
        }
        // Details went with their master; others need its new id, unless they are gone themselves.
        let goneChildren = Set(gone.children)
        let children = tree.children.filter { !gone.inDoubt.contains($0.entryId) }.map { child in
            let isRecreation = trees.isMasterDetail || goneChildren.contains(child.entryId)
            return TreeMember(
                entryId: child.entryId, isParent: false, isRecreation: isRecreation, isMoved: !isRecreation)
        }
        return [TreeMember(entryId: tree.parentEntryId, isParent: true, isRecreation: true)] + children
    }

    // MARK: - Without a call

    private func settle(_ work: @escaping @Sendable () throws -> UpEffects) async throws {
        try await progress.settle(work)
    }

    /// Holds a whole tree, because it is in doubt whether its parent was created.
    private func hold(_ tree: TreeState, _ preparation: TreeCallPreparation) async throws {
        let trees = trees
        try await settle {
            var effects = UpEffects()
            try preparation.hold(tree.parent, tree.parentEntryId, trees.parent.soup, &effects)
            for child in tree.children where child.text.flags.isDirty {
                effects.summary.held += 1
                effects.events.append(.recordHeld(soup: trees.children.soup, entryId: child.entryId))
            }
            return effects
        }
    }

    private func leave(_ tree: TreeState, _ reason: LeaveReason) {
        var effects = UpEffects()
        let rows =
            [(trees.parent.soup, tree.parentEntryId, tree.parent)]
            + tree.children.map { (trees.children.soup, $0.entryId, $0.text) }
        for (soup, entryId, text) in rows where text.flags.isDirty {
            effects.summary.left += 1
            effects.events.append(.recordLeft(soup: soup, entryId: entryId, reason: reason))
        }
        progress.apply(effects)
    }

    private func save(_ applied: [TreeQuestion.Applied]) async throws {
        guard !applied.isEmpty else { return }
        let saver = TreeSaver(trees: trees, store: store, uuids: options.uuids)
        try await settle { try saver.save(applied) }
    }

    /// Takes out a parent that the service has never had; details go with it.
    private func remove(_ tree: TreeState) async throws {
        let (trees, store) = (trees, store)
        try await settle {
            var effects = UpEffects()
            try store.remove(ids: [tree.parentEntryId], from: trees.parent.soup)
            try Originals(store, soup: trees.parent.soup).remove([tree.parentEntryId])
            effects.summary.removed += 1
            guard trees.isMasterDetail else { return effects }
            let children = tree.children.map(\.entryId)
            try store.remove(ids: children, from: trees.children.soup)
            try Originals(store, soup: trees.children.soup).remove(children)
            effects.summary.removed += children.count
            return effects
        }
    }
}
