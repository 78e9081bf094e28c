import CSQLite
import Platform
import Soups

/// Reads a database as it is: takes no lock, and creates, changes and leaves no file.
///
/// Without a -wal SQLite opens the file as immutable. A -wal that a crash left is read from where it is, through
/// SQLite's file system without locks and with its index in memory, so that neither space nor permission to write is
/// needed. Both are right only while no process writes: that is checked before the first reading, and at the beginning
/// and end of every reading transaction. Source: https://sqlite.org/uri.html (immutable),
/// https://sqlite.org/wal.html#use_of_wal_without_shared_memory.
struct FrozenFiles: Sendable {
    let path: String
    private let main: FileStatus
    /// The -wal, if there is one that is not empty.
    private let log: FileStatus?

    /// Notes the current state of the files.
    init(path: String, status: FileStatus, ignoringLog: Bool = false) {
        self.path = path
        main = status
        // The -wal of an empty database means nothing, and SQLite would remove it.
        log = ignoringLog || status.size == 0 ? nil : Self.log(of: path)
    }

    private static func log(of path: String) -> FileStatus? {
        FileStatus(of: path + "-wal").flatMap { $0.size > 0 ? $0 : nil }
    }

    /// Checks that the files can be read as they are. This process must have no connection to them that takes locks.
    ///
    /// - Throws: `busy` if another process has the database open; `readOnly` if a transaction is still to be undone.
    func requireQuiet() throws(Fault) {
        if let process = FileLocks.holder(of: path) {
            let who = process > 0 ? "process \(process)" : "another process"
            throw Fault(
                .busy,
                "\(who) has \(path) open: close it there, or read it with `readsInPlace`, which creates -wal and -shm"
            )
        }
        if RollbackJournal.isHot(besides: path) {
            throw Fault(
                .readOnly,
                "\(path) holds an unfinished transaction that must be undone: open it for writing once"
            )
        }
    }

    /// Whether the database was in this state when it was noted.
    func began(as status: FileStatus) -> Bool { main == status }

    /// Checks that nothing was written since the state of the files was noted.
    ///
    /// - Throws: `busy`; `storeNotFound` if the file was removed or replaced.
    func requireUnchanged() throws(Fault) {
        if isUnchanged {
            return
        }
        guard FileStatus(of: path)?.identity == main.identity else {
            throw .lostFile(path)
        }
        throw .changedWhileRead(path)
    }

    /// Whether nothing was written since the state of the files was noted, as far as sizes and dates show it.
    var isUnchanged: Bool {
        FileStatus(of: path) == main && (log == nil || Self.log(of: path) == log)
    }

    /// Opens a handle that cannot write.
    func open(_ library: SQLiteLibrary) throws(Fault) -> RawHandle {
        log == nil
            ? try RawHandle(
                path: path, library: library, flags: SQ_OPEN_READONLY | SQ_OPEN_URI,
                uri: Self.uri(of: path) + "?immutable=1")
            : try RawHandle(path: path, library: library, flags: SQ_OPEN_READONLY, fileSystem: "unix-none")
    }

    /// Sets, before anything is read, that the index of the -wal is in memory and that closing does not write.
    func prepare(_ handle: RawHandle) {
        _ = sq_db_config_switch(handle.table, handle.database, SQ_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        if log != nil {
            _ = handle.execute("PRAGMA locking_mode = EXCLUSIVE")
        }
    }

    /// The absolute path as a URI, with all characters escaped that have a meaning in one.
    static func uri(of path: String) -> String {
        "file://" + path.percentEncoded { $0.isUnreserved || $0 == UInt8(ascii: "/") }
    }
}

extension Fault {
    static func changedWhileRead(_ path: String) -> Fault {
        Fault(.busy, "another process wrote to \(path) while it was open for reading only: close it and open it again")
    }
}
