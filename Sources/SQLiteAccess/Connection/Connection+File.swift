import CSQLite
import Platform
package import Soups

// A database file may be removed or replaced while it is open. SQLite would go on writing to the file that no longer
// has a name, and a process that opens the new file would find the -wal of the old one next to it. Source:
// https://sqlite.org/howtocorrupt.html, section 1.4.
extension Connection {
    /// Throws if the path no longer leads to the file that was opened. Costs one call of `stat`.
    ///
    /// - Throws: `storeNotFound`.
    package func requireFile() throws(Fault) {
        guard hasLostItsFile else { return }
        settleLog()
        throw .lostFile(path)
    }

    /// Throws if the -wal was removed or replaced since this connection first wrote. SQLite would go on writing to the
    /// one that has no name, and all of it would be lost if the process was killed. What it holds until now is written
    /// back first. Costs one call of `stat`.
    ///
    /// - Throws: `storeNotFound`.
    func requireLog() throws(Fault) {
        guard case .found(let identity) = log, FileStatus(of: logPath)?.identity != identity else { return }
        handle.withoutWaiting {
            _ = sq_wal_checkpoint_v2(handle.table, handle.database, nil, SQ_CHECKPOINT_PASSIVE, nil, nil)
        }
        throw Fault(
            .storeNotFound,
            "\(logPath) was removed or replaced while the database was open; close all that has it open, then open it again"
        )
    }

    /// Notes which -wal this connection writes to, once, in a transaction: at other times it need not have one.
    func noteLog() {
        guard log == .unknown else { return }
        log = FileStatus(of: logPath).map { .found($0.identity) } ?? .missing
    }

    /// Checks the files before a transaction: one that writes must not write to a lost file, and one that reads files
    /// without locks must not read what another process has changed.
    ///
    /// - Throws: `storeNotFound`, `busy`.
    func requireFiles(for kind: TransactionKind) throws(Fault) {
        if let frozen {
            try frozen.requireUnchanged()
        } else if kind == .immediate {
            try requireFile()
        }
    }

    /// The -wal of a connection.
    enum Log: Equatable {
        case unknown
        /// The connection does not use one.
        case missing
        case found(FileIdentity)
    }

    var hasLostItsFile: Bool {
        guard isOpen, let identity else { return false }
        return FileStatus(of: path)?.identity != identity
    }

    /// Writes the -wal back into the file it belongs to, whatever that is called now, and empties it, so that a process
    /// that opens the file now at this path does not find another file's pages next to it.
    ///
    /// Does nothing while another process has the new file open: that process uses the same -wal, because SQLite finds
    /// it by its name.
    func settleLog() {
        guard access != .readOnly, !isInTransaction, OpenFiles.shared.isFree(path) else { return }
        handle.withoutWaiting {
            _ = sq_wal_checkpoint_v2(handle.table, handle.database, nil, SQ_CHECKPOINT_TRUNCATE, nil, nil)
        }
    }

    /// Checks that SQLite opened the file that was checked and registered, and not one that was put at its path in
    /// between.
    static func requireSameFile(_ handle: RawHandle, path: String, identity: FileIdentity) throws(Fault) {
        var hasMoved: Int32 = 0
        _ = sq_file_control(handle.table, handle.database, "main", SQ_FCNTL_HAS_MOVED, &hasMoved)
        guard hasMoved == 0, FileStatus(of: path)?.identity == identity else {
            throw .lostFile(path)
        }
    }
}

extension Fault {
    static func lostFile(_ path: String) -> Fault {
        Fault(
            .storeNotFound,
            "the file \(path) was removed or replaced while it was open; close all that has it open, then open it again"
        )
    }
}
