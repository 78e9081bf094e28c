import SQLiteAccess
import Soups

extension StoreSession {
    /// Runs work as a whole or not at all, and then what was deferred to the end: files are removed only when the rows
    /// that named them are gone.
    ///
    /// A transaction inside another one is a savepoint. The schema is checked again at the beginning, and what is known
    /// of it is dropped when the work is undone.
    ///
    /// - Parameter waiting: Whether an outermost transaction waits for alterations by other processes: its work may
    ///   then run again from the beginning.
    func transaction<R>(waiting: Bool, _ body: () throws(Fault) -> R) throws(Fault) -> R {
        guard waiting, level == 0 else {
            return try transaction(body)
        }
        return try waitingForAlterations { () throws(Fault) in try transaction(body) }
    }

    func transaction<R>(_ body: () throws(Fault) -> R) throws(Fault) -> R {
        let mark = pending.mark
        let isOutermost = level == 0
        // The transaction around it is that of a reading call, which would end it.
        guard !isOutermost || !connection.isInTransaction else {
            throw Fault(.busy, "a store with one connection cannot write inside a reading call")
        }
        let outer = isOutermost ? changes.begin(keepingIDs: hub.isWatched) : changes.enter()
        level += 1
        defer { level -= 1 }
        beginCall()
        do throws(Fault) {
            let result = try connection.transaction(.immediate) { () throws(Fault) in
                if isOutermost {
                    forgetIds()
                    beginElements()
                }
                do throws(Fault) {
                    try refresh()
                    let result = try body()
                    if isOutermost {
                        try synchronizeElements()
                    }
                    return result
                } catch {
                    // Before the lock is released: another process may then write a file of the same name.
                    undo(to: mark)
                    throw error
                }
            }
            if isOutermost {
                for action in pending.takeCommits() {
                    action()
                }
                if !changes.isEmpty {
                    let parts = changes.take()
                    commits.note(parts)
                    hub.publish(parts)
                }
            } else {
                changes.join(outer)
            }
            return result
        } catch {
            changes.drop(outer)
            undo(to: mark)
            pending.dropCommits(to: mark)
            // A rollback restores the old schema version, which may then be used for another schema.
            forget()
            throw error
        }
    }

    /// Does what was kept for a rollback.
    private func undo(to mark: PendingActions.Mark) {
        for action in pending.takeRollbacks(to: mark) {
            action()
        }
    }
}
