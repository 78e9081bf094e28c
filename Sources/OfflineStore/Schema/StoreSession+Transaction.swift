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
                    // Before the lock is released: another process may then write a file of the same name.
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
            // A rollback restores the old schema version, which may then be used for another schema.
            forget()
            throw error
        }
    }

    /// Runs what was deferred to a rollback, the last first.
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

    /// Runs reading work that sees one state of the database and knows its schema.
    ///
    /// The file of an external entry is removed when a newer version is committed, so a reader of an older state may
    /// not find it: the work then runs again in a newer state. If the version is also missing in a state that began
    /// after it was first missed, the file is lost, and that is `corrupt`. Work that is overtaken again and again ends
    /// with `wasOvertaken` set; `SmartStore.reading` then keeps writers out.
    func reading<R>(_ body: () throws(Fault) -> R) throws(Fault) -> R {
        if connection.isInTransaction {
            try refresh()
            return try body()
        }
        return try waitingForAlterations { () throws(Fault) in try readingAgain(body) }
    }

    /// Runs reading work, again in a newer state if the file of an entry was removed in the meantime.
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

    /// How long reading work is repeated before writers are kept out. It is long enough that only very large pages need
    /// the lock, which is hard to get while writers follow each other closely. In a store that is opened for reading
    /// only, no lock can keep writers out.
    private var patience: Duration {
        let patience = options.settings.busyTimeout
        return .milliseconds(options.access == .readOnly ? patience : min(max(patience / 2, 500), 2500))
    }
}

// MARK: - Entries outside the table
extension StoreSession {
    /// The files of external entries. In a store opened for writing their folder is recorded when it is first needed
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

    /// Reads the text of an external entry. Throws `corrupt` if its file is damaged or missing; see `reading`.
    func element(_ place: ElementPlace) throws(Fault) -> [UInt8] {
        if let text = try elements().read(place) {
            return text
        }
        // Inside a transaction that writes, no other connection can have removed it.
        if level == 0 {
            missingElement = place
        }
        throw ElementFiles.missing
    }

    /// Removes the file of one version after the transaction is committed.
    func removeElementAfterCommit(_ place: ElementPlace) throws(Fault) {
        let files = try elements()
        afterCommit.append { files.removeFormer(place) }
    }

    /// Removes the files of all current rows of a soup after the transaction is committed. Needs 16 bytes of memory for
    /// each row.
    ///
    /// `andFolder` is for a soup that is removed: no row is ever written to its table again. Otherwise the folder
    /// stays, because another process may be about to write into it.
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

    /// Removes the files that no row of a table refers to, in one more transaction after this one is committed: another
    /// process may begin to write files of the same names as soon as the lock is released. What fails there is left to
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
