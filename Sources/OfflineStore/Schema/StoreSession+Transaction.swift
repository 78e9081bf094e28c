import SQLiteAccess
import Soups

extension StoreSession {
    /// Runs work whole or not at all, and then what was kept for the end: files are removed only when the rows that
    /// named them are gone.
    ///
    /// One inside another is a savepoint. What is known of the schema is looked at anew at the beginning, and dropped
    /// when the work is undone.
    func transaction<R>(_ body: () throws(Fault) -> R) throws(Fault) -> R {
        let commits = afterCommit.count
        let rollbacks = afterRollback.count
        let isOutermost = level == 0
        level += 1
        defer { level -= 1 }
        do throws(Fault) {
            let result = try connection.transaction(.immediate) { () throws(Fault) in
                if isOutermost {
                    nextIds.removeAll()
                }
                try refresh()
                let result = try body()
                if isOutermost {
                    try synchronizeElements()
                }
                return result
            }
            if isOutermost {
                run(commits: true)
            }
            return result
        } catch {
            for action in afterRollback[rollbacks...].reversed() {
                action()
            }
            afterRollback.removeSubrange(rollbacks...)
            afterCommit.removeSubrange(commits...)
            // A schema version comes back with a rollback, and may then be given again to another schema.
            forget()
            throw error
        }
    }

    private func run(commits: Bool) {
        let actions = afterCommit
        afterCommit.removeAll()
        afterRollback.removeAll()
        for action in actions {
            action()
        }
    }

    /// Runs reading work that sees one state of the database, and knows its schema.
    func reading<R>(_ body: () throws(Fault) -> R) throws(Fault) -> R {
        if connection.isInTransaction {
            try refresh()
            return try body()
        }
        return try connection.transaction(.deferred) { () throws(Fault) in
            try refresh()
            return try body()
        }
    }
}

// MARK: - Entries outside the table
extension StoreSession {
    /// The files of external entries. In a store opened for writing their place is recorded when it is first asked for
    /// inside a transaction.
    func elements() throws(Fault) -> ElementFiles {
        if let known = elementFiles {
            return known
        }
        if options.access != .readOnly, level > 0 {
            try ElementVault.establish(connection, keyed: options.key != nil)
        }
        let files = try ElementVault.open(connection)
        elementFiles = files
        return files
    }

    func removeElementAfterCommit(_ place: ElementPlace) throws(Fault) {
        let files = try elements()
        afterCommit.append { files.remove(place) }
    }

    private func synchronizeElements() throws(Fault) { try elementFiles?.synchronize() }
}
