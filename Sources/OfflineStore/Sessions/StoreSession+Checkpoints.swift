import SQLiteAccess
import Soups

extension StoreSession {
    /// The bytes that the -wal may have before a commit of a bulk load writes it back.
    ///
    /// The more transactions one checkpoint serves, the fewer pages it writes twice. Most of that is gained with a few
    /// thousand pages; the -wal needs room on the disk, and its pages are read again after a crash.
    static let bulkLogBytes = 32 << 20

    /// Runs one of several transactions of a bulk load: the -wal is written back where it has reached `bulkLogBytes`,
    /// and at the end of the load, instead of each few transactions.
    ///
    /// - Parameter isOver: Whether the load has ended with this transaction; also asked after a failure.
    func loading<R>(isOver: () -> Bool, _ transaction: () throws(Fault) -> R) throws(Fault) -> R {
        let settings = options.settings
        guard level == 0, settings.journalMode == .wal, options.access != .readOnly else {
            return try transaction()
        }
        var pageSize = settings.pageSize
        var hasFailed = true
        defer {
            connection.checkpoint(every: settings.checkpointPages)
            if hasFailed || isOver() {
                connection.shortenLog(beyond: Int64(settings.checkpointPages) * Int64(pageSize))
            }
        }
        // A plain file keeps the page size that it was made with.
        if let size = try connection.integer("PRAGMA page_size") {
            pageSize = Int(size)
        }
        connection.checkpoint(every: max(settings.checkpointPages, Self.bulkLogBytes / pageSize))
        let result = try transaction()
        hasFailed = false
        return result
    }

    /// Writes back the -wal of a bulk load that was cancelled between two of its transactions.
    func endLoading() {
        let settings = options.settings
        guard settings.journalMode == .wal, options.access != .readOnly else { return }
        connection.shortenLog(beyond: Int64(settings.checkpointPages) * Int64(settings.pageSize))
    }
}
