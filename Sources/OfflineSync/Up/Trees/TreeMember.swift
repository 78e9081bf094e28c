/// A row of a tree that is sent.
struct TreeMember: Sendable {
    let entryId: Int64
    let isParent: Bool
    /// Whether the service had the record, and it is created again.
    var isRecreation = false
    /// Whether a clean row is sent too, because it gets another parent.
    var isMoved = false
}

/// A tree as its rows are before it is sent.
struct TreeState: Sendable {
    /// What the parent asks for.
    enum ParentTask: Sendable {
        case nothing, create, update, delete, removal
    }

    let parent: RowText
    let parentEntryId: Int64
    let task: ParentTask
    let children: [(entryId: Int64, text: RowText)]
    /// What is wrong with a parent that says that it was changed, and not how.
    var error: LocalError?
    /// Whether a creation of the parent is noted in the outbox.
    var isNoted = false
    /// Whether all of it waits until that is decided.
    var isHeld = false
    /// The children whose own creations are in doubt: they wait alone.
    var heldChildren: Set<Int64> = []

    /// The rows to send, in their order.
    func members(_ trees: TreeParts) -> [TreeMember] {
        let own = TreeMember(entryId: parentEntryId, isParent: true)
        let all = children.map { TreeMember(entryId: $0.entryId, isParent: false, isMoved: task == .create) }
        switch task {
        case .create, .update: return [own] + all
        case .nothing: return all
        case .delete: return (trees.isMasterDetail ? [] : all) + [own]
        case .removal: return trees.isMasterDetail ? [] : all
        }
    }
}
