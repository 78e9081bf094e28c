import SQLiteAccess
import Soups

extension StoreSession {
    /// Reads the text of an external entry. Throws `corrupt` if its file is damaged or missing; see `reading`.
    func element(_ element: ElementVersion) throws(Fault) -> [UInt8] {
        if let text = try elements().read(element) {
            return text
        }
        // Inside a transaction that writes, no other connection can have removed it.
        if level == 0 {
            attempt.missingElement = element
        }
        throw ElementFiles.missing
    }

    /// Removes the file of one version after the transaction is committed.
    func removeElementAfterCommit(_ element: ElementVersion) throws(Fault) {
        let files = try elements()
        pending.afterCommit { files.removeFormer(element) }
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
        pending.afterCommit {
            for (id, version) in versions {
                files.removeFormer(ElementVersion(table: table, id: id, version: version))
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
        pending.afterCommit { [unowned self] in
            try? connection.transaction(.immediate) { () throws(Fault) in
                try ElementCollector.collect(table: table, self)
            }
        }
    }
}
