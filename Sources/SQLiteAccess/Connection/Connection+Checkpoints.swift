import CSQLite
import Platform
public import Soups

extension Connection {
    /// Writes the -wal back into the file and empties it. Throws `readOnly` if the connection only reads.
    public func checkpoint() throws(Fault) {
        try requireOpen()
        guard access != .readOnly else {
            throw Fault(.readOnly, "\(path) was opened for reading only")
        }
        let result = sq_wal_checkpoint_v2(handle.table, handle.database, nil, SQ_CHECKPOINT_TRUNCATE, nil, nil)
        guard result == SQ_OK else {
            throw .sqlite(result, handle, doing: "checkpoint", mayQuoteValues: true)
        }
    }

    /// Sets the number of pages in the -wal from which a commit of this connection writes it back.
    package func checkpoint(every pages: Int) {
        guard isOpen else { return }
        _ = handle.execute("PRAGMA wal_autocheckpoint = \(pages)")
    }

    /// Writes the -wal back and empties it if it is longer than that many bytes. Waits for no one: while others read an
    /// older state, what they need stays in it. A failure loses nothing, for then the -wal keeps what it has.
    package func shortenLog(beyond bytes: Int64) {
        guard isOpen, access != .readOnly, !isInTransaction, File.size(logPath) > bytes else { return }
        _ = handle.withoutWaiting {
            sq_wal_checkpoint_v2(handle.table, handle.database, nil, SQ_CHECKPOINT_TRUNCATE, nil, nil)
        }
    }
}
