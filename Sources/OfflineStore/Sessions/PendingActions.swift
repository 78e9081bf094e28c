/// What is done when a transaction is committed, and what when it is not: files are removed only when the rows that
/// named them are gone.
struct PendingActions {
    private var commits: [() -> Void] = []
    private var rollbacks: [() -> Void] = []

    /// How far a savepoint goes back.
    struct Mark {
        fileprivate let commits: Int
        fileprivate let rollbacks: Int
    }

    var mark: Mark { Mark(commits: commits.count, rollbacks: rollbacks.count) }

    mutating func afterCommit(_ action: @escaping () -> Void) { commits.append(action) }
    mutating func afterRollback(_ action: @escaping () -> Void) { rollbacks.append(action) }

    /// Gives what is to be done after the outermost commit, and forgets it.
    mutating func takeCommits() -> [() -> Void] {
        defer { self = PendingActions() }
        return commits
    }

    /// Gives what is to be done for a rollback to a mark, the last first, and forgets it.
    mutating func takeRollbacks(to mark: Mark) -> [() -> Void] {
        defer { rollbacks.removeSubrange(mark.rollbacks...) }
        return rollbacks[mark.rollbacks...].reversed()
    }

    /// Forgets what was to be done after a commit that will not come.
    mutating func dropCommits(to mark: Mark) { commits.removeSubrange(mark.commits...) }
}
