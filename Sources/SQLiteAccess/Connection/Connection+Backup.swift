import CSQLite
package import Soups

extension Connection {
    /// Copies every page of this database over those of another connection's database. Neither may be encrypted.
    ///
    /// Inside a transaction that has read something it copies that state, whatever is committed in the meantime.
    /// Source: https://sqlite.org/backup.html.
    ///
    /// - Parameter progress: Called after each piece, with the number of pages done and of all.
    /// - Throws: `diskFull`, `inputOutput`, `busy`; `closed` in a cancelled call.
    package func copyPages(to target: Connection, _ progress: (_ done: Int, _ all: Int) -> Void) throws(Fault) {
        try requireOpen()
        let table = handle.table
        guard let backup = sq_backup_init(table, target.handle.database, "main", handle.database, "main") else {
            let code = sq_extended_errcode(table, target.handle.database)
            throw .sqlite(code, target.handle, doing: "copying a database", mayQuoteValues: true)
        }
        var code = SQ_OK
        var failure: Fault?
        while code == SQ_OK, failure == nil {
            do throws(Fault) {
                try checkCall()
                code = sq_backup_step(table, backup, Self.pagesInPiece)
                let all = Int(sq_backup_pagecount(table, backup))
                progress(all - Int(sq_backup_remaining(table, backup)), all)
            } catch {
                failure = error
            }
        }
        let end = sq_backup_finish(table, backup)
        if let failure {
            throw failure
        }
        guard code == SQ_DONE, end == SQ_OK else {
            throw .sqlite(
                code == SQ_DONE ? end : code, target.handle, doing: "copying a database", mayQuoteValues: true)
        }
    }

    private static let pagesInPiece: Int32 = 256
}
