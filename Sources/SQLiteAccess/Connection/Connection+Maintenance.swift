import CSQLite
package import Soups

extension Connection {
    /// How much of the -wal a checkpoint writes back. Source: https://sqlite.org/c3ref/wal_checkpoint_v2.html.
    package enum Checkpoint: Sendable {
        case passive
        case full
        case restart
        case truncate

        fileprivate var mode: Int32 {
            switch self {
            case .passive: SQ_CHECKPOINT_PASSIVE
            case .full: SQ_CHECKPOINT_FULL
            case .restart: SQ_CHECKPOINT_RESTART
            case .truncate: SQ_CHECKPOINT_TRUNCATE
            }
        }
    }

    /// Writes the -wal back. Returns the frames in it, those of them that are in the file now, and whether another
    /// connection was in the way of the rest; 0 of 0 if there is no -wal.
    package func checkpoint(_ mode: Checkpoint) throws(Fault) -> (frames: Int, moved: Int, isBusy: Bool) {
        try requireOpen()
        guard access != .readOnly else {
            throw Fault(.readOnly, "\(path) was opened for reading only")
        }
        var frames: Int32 = 0
        var moved: Int32 = 0
        let code = sq_wal_checkpoint_v2(handle.table, handle.database, nil, mode.mode, &frames, &moved)
        guard code == SQ_OK || code & 0xFF == SQ_BUSY else {
            throw .sqlite(code, handle, doing: "checkpoint", mayQuoteValues: true)
        }
        return (max(0, Int(frames)), max(0, Int(moved)), code != SQ_OK)
    }

    /// The number of rows that all statements of this connection have inserted, changed or deleted.
    package var totalChanges: Int64 { sq_total_changes64(handle.table, handle.database) }
}
