import CSQLite
import Soups

/// Reads a database as it is: no lock is taken, and no file is made, changed or left.
///
/// Without a -wal SQLite is told that the file is immutable. A -wal that a crash left is read where it is, through
/// SQLite's file system without locks and with its index in memory, so that neither space nor the right to write is
/// needed. Both are right only while nobody writes: that is looked at before the first reading, and at the beginning
/// and end of every reading transaction. Source: https://sqlite.org/uri.html (immutable),
/// https://sqlite.org/wal.html#use_of_wal_without_shared_memory.
struct FrozenFiles: Sendable {
    let path: String
    private let main: FileSystem.Status
    /// The -wal, where there is one with something in it.
    private let log: FileSystem.Status?

    /// Notes how the files are now.
    init(path: String, status: FileSystem.Status, ignoringLog: Bool = false) {
        self.path = path
        main = status
        // For a database without a byte the -wal means nothing, and SQLite would remove it.
        log = ignoringLog || status.size == 0 ? nil : Self.log(of: path)
    }

    private static func log(of path: String) -> FileSystem.Status? {
        FileSystem.status(of: path + "-wal").flatMap { $0.size > 0 ? $0 : nil }
    }

    /// Refuses files that cannot be read as they are. This process has no connection to them.
    ///
    /// - Throws: `busy` where another process has the database open; `readOnly` where a transaction is still to be
    ///   undone.
    func requireQuiet() throws(Fault) {
        if let process = FileLocks.holder(of: path) {
            let who = process > 0 ? "process \(process)" : "another process"
            throw Fault(
                .busy,
                "\(who) has \(path) open: close it there, or read it with `readsInPlace`, which makes -wal and -shm"
            )
        }
        if FileSystem.isHotJournal(path + "-journal") {
            throw Fault(
                .readOnly,
                "a transaction in \(path) was cut off and is still to be undone: open it for writing once"
            )
        }
    }

    /// Refuses to go on where anything was written since the files were noted.
    ///
    /// - Throws: `busy`; `storeNotFound` where the file was removed or replaced.
    func requireUnchanged() throws(Fault) {
        if isUnchanged {
            return
        }
        guard FileSystem.status(of: path)?.identity == main.identity else {
            throw .lostFile(path)
        }
        throw Fault(.busy, "another process wrote to \(path) while it was read as it was: close it and open it again")
    }

    /// Whether nothing was written since the files were noted, as far as sizes and dates say.
    var isUnchanged: Bool {
        FileSystem.status(of: path) == main && (log == nil || Self.log(of: path) == log)
    }

    /// Opens a handle that cannot write.
    func open(_ library: SQLiteLibrary) throws(Fault) -> RawHandle {
        log == nil
            ? try RawHandle(
                path: path, library: library, flags: SQ_OPEN_READONLY | SQ_OPEN_URI,
                uri: Self.uri(of: path) + "?immutable=1")
            : try RawHandle(path: path, library: library, flags: SQ_OPEN_READONLY, fileSystem: "unix-none")
    }

    /// Says, before anything is read, that the index of the -wal is to be in memory, and that closing must not write.
    func prepare(_ handle: RawHandle) {
        _ = sq_db_config_switch(handle.table, handle.database, SQ_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        if log != nil {
            _ = handle.execute("PRAGMA locking_mode = EXCLUSIVE")
        }
    }

    /// The absolute path with everything escaped that would have a meaning in a URI.
    static func uri(of path: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes = Array("file://".utf8)
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"):
                bytes.append(byte)
            default:
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
