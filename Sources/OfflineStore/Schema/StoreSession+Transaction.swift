import SQLiteAccess
import Soups

extension StoreSession {
    /// Runs work whole or not at all, and then what was kept for the end: files are removed only when the rows that
    /// named them are gone.
    ///
    /// One inside another is a savepoint. What is known of the schema is looked at again at the beginning, and dropped
    /// when the work is undone.
    ///
    /// - Parameter waiting: An outermost one waits for alterations by other processes: its work may then run again from
    ///   the beginning.
    func transaction<R>(waiting: Bool, _ body: () throws(Fault) -> R) throws(Fault) -> R {
        guard waiting, level == 0 else {
            return try transaction(body)
        }
        return try waitingForAlterations { () throws(Fault) in try transaction(body) }
    }

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
                    touchedFolders.removeAll()
                }
                do throws(Fault) {
                    try refresh()
                    let result = try body()
                    if isOutermost {
                        try synchronizeElements()
                    }
                    return result
                } catch {
                    // Before the lock is given up: another process may then write a file of the same name.
                    undo(from: rollbacks)
                    throw error
                }
            }
            if isOutermost {
                run(commits: true)
            }
            return result
        } catch {
            undo(from: rollbacks)
            afterCommit.removeSubrange(commits...)
            // A schema version comes back with a rollback, and may then be given again to another schema.
            forget()
            throw error
        }
    }

    /// Does what was kept for a rollback, the last first.
    private func undo(from first: Int) {
        let actions = afterRollback[first...].reversed()
        afterRollback.removeSubrange(first...)
        for action in actions {
            action()
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
    ///
    /// The file of an external entry goes when a newer version is committed, so that a reader of an older state may
    /// miss it: the work is then done again in a newer state. A version that is missing in a state that began after it
    /// was missed is lost, and `corrupt` says so. Work that is overtaken again and again ends with `wasOvertaken` set;
    /// `SmartStore.reading` then keeps writers out.
    func reading<R>(_ body: () throws(Fault) -> R) throws(Fault) -> R {
        if connection.isInTransaction {
            try refresh()
            return try body()
        }
        return try waitingForAlterations { () throws(Fault) in try readingAgain(body) }
    }

    /// Runs reading work, again in a newer state where the file of an entry was removed in between.
    private func readingAgain<R>(_ body: () throws(Fault) -> R) throws(Fault) -> R {
        defer { missingElement = nil }
        wasOvertaken = false
        var attempts = 0
        var end: ContinuousClock.Instant?
        while true {
            let missed = missingElement
            missingElement = nil
            do throws(Fault) {
                return try connection.transaction(.deferred) { () throws(Fault) in
                    try refresh()
                    return try body()
                }
            } catch {
                guard let missing = missingElement, missing != missed else {
                    throw error
                }
                attempts += 1
                let limit = end ?? .now + patience
                end = limit
                wasOvertaken = attempts >= 4 && .now >= limit
                if wasOvertaken {
                    throw error
                }
            }
        }
    }

    /// How long reading work is begun again before writers are kept out: long enough that the lock, for which writers
    /// that follow each other closely leave little time, is needed by very large pages only. No lock keeps writers out
    /// of a store that is only read.
    private var patience: Duration {
        let patience = options.settings.busyTimeout
        return .milliseconds(options.access == .readOnly ? patience : min(max(patience / 2, 500), 2500))
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

    /// Reads the text of an external entry. Throws `corrupt` where its file is damaged or missing; see `reading`.
    func element(_ place: ElementPlace) throws(Fault) -> [UInt8] {
        if let text = try elements().read(place) {
            return text
        }
        // Inside a transaction that writes no other connection can have removed it.
        if level == 0 {
            missingElement = place
        }
        throw ElementFiles.missing
    }

    /// Has the file of one version removed when the transaction is committed.
    func removeElementAfterCommit(_ place: ElementPlace) throws(Fault) {
        let files = try elements()
        afterCommit.append { files.removeFormer(place) }
    }

    /// Has the files of all rows that a soup has now removed when the transaction is committed. 16 bytes of memory for
    /// each row.
    ///
    /// `andFolder` is for a soup that is removed: no row is ever written to its table again. Elsewhere the folder
    /// stays, for another process may be about to write into it.
    func removeElementsAfterCommit(of soup: RegisteredSoup, andFolder: Bool) throws(Fault) {
        let files = try elements()
        let table = soup.id
        let rows = try connection.statement("SELECT id, lastModified FROM \(soup.tableName)")
        defer { rows.reset() }
        var versions: [(id: Int64, version: Int64)] = []
        while try rows.step() {
            versions.append((rows.integer(at: 0), rows.integer(at: 1)))
        }
        afterCommit.append {
            for (id, version) in versions {
                files.removeFormer(ElementPlace(table: table, id: id, version: version))
            }
            if andFolder {
                files.removeEmptyFolder(ofTable: table)
            }
        }
    }

    /// Has what no row of a table names removed after the transaction is committed, in one more transaction: another
    /// process may begin to write files of the same names as soon as the lock is given up. What fails there is left to
    /// the next opening for writing.
    func collectElementsAfterCommit(ofTable table: Int64) {
        afterCommit.append { [unowned self] in
            try? connection.transaction(.immediate) { () throws(Fault) in
                try ElementCollector.collect(table: table, self)
            }
        }
    }

    private func synchronizeElements() throws(Fault) {
        try elementFiles?.synchronize()
        guard !touchedFolders.isEmpty else { return }
        try ElementFiles.synchronize(touchedFolders)
        touchedFolders.removeAll()
    }
}
