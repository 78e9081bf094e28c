import CSQLite
import Platform
import Soups

/// Tries a key before a file is opened for writing, if there is a left-over -wal or -journal. In that case even a
/// failed attempt would change something: SQLite would recover, checkpoint and remove the side files before it can know
/// that the key is wrong.
///
/// The key is tried on the files as they are, through a handle that takes no lock and writes nothing, so that no space
/// on the disk is needed. Only if a rollback journal is left, so that the first page itself may be half written, and
/// that fails, the key is tried on a copy: in a folder next to the file (`.probe`), or in the temporary folder if that
/// cannot be created or is full. The copy holds only what is encrypted on the disk already. It is removed when the
/// check returns; what a killed process left of it is removed when the database is next opened.
enum KeyProbe {
    /// Enough for the first page, whatever its size, and for the header and the original first page in a rollback
    /// journal.
    private static let copiedBytes = 1 << 17
    /// A longer side file is copied up to this length: the frames of the first page that matter were written when the
    /// file was made or its schema changed.
    private static let copiedSideBytes = 64 << 20
    /// The number of attempts to read files that another process writes before a copy is made.
    private static let attempts = 3

    /// - Throws: `wrongKey`; `busy` or `diskFull` if a copy is needed and cannot be made.
    static func check(_ path: String, key: Key, library: SQLiteLibrary, settings: ConnectionSettings) throws(Fault) {
        let hasJournal = RollbackJournal.isHot(besides: path)
        for _ in 0..<attempts {
            guard let status = FileStatus(of: path) else {
                throw .lostFile(path)
            }
            // If a journal is to be undone, SQLite would refuse to read at all, so only the first page is tried.
            let files = FrozenFiles(path: path, status: status, ignoringLog: hasJournal)
            if try isRight(key, for: files, library: library, settings: settings) {
                return
            }
            if files.isUnchanged {
                guard hasJournal else {
                    throw .wrongKey(path)
                }
                break
            }
        }
        try checkOnCopy(of: path, key: key, library: library, settings: settings)
    }

    private static func isRight(
        _ key: Key, for files: FrozenFiles, library: SQLiteLibrary, settings: ConnectionSettings
    ) throws(Fault) -> Bool {
        let handle = try files.open(library)
        defer { handle.close() }
        try handle.apply(key: key, settings: settings)
        files.prepare(handle)
        return FirstPage(handle: handle, path: files.path).decrypts
    }

    private static func checkOnCopy(
        of path: String, key: Key, library: SQLiteLibrary, settings: ConnectionSettings
    )
        throws(Fault)
    {
        let next = try KeyProbeFolder(beside: path, patience: settings.busyTimeout)
        defer { next.remove() }
        if copyFiles(of: path, to: next) {
            return try check(next, of: path, key: key, library: library, settings: settings)
        }
        Folder.empty(next.path)
        let temporary = try KeyProbeFolder(temporaryFor: path)
        defer { temporary.remove() }
        guard copyFiles(of: path, to: temporary) else {
            throw Fault(
                .diskFull,
                "the first page of \(path) does not decrypt, and there is no space to try its -journal: free some space"
            )
        }
        try check(temporary, of: path, key: key, library: library, settings: settings)
    }

    private static func check(
        _ folder: KeyProbeFolder, of path: String, key: Key, library: SQLiteLibrary, settings: ConnectionSettings
    ) throws(Fault) {
        let handle = try RawHandle(path: folder.copy, library: library, flags: SQ_OPEN_READWRITE)
        defer { handle.close() }
        try handle.apply(key: key, settings: settings)
        guard FirstPage(handle: handle, path: path).decrypts else {
            throw Fault.wrongKey(path)
        }
    }

    private static func copyFiles(of path: String, to folder: KeyProbeFolder) -> Bool {
        guard copyStart(of: path, to: folder.copy, limit: copiedBytes) else { return false }
        return ["-wal", "-journal"].allSatisfy { suffix in
            FileStatus(of: path + suffix) == nil
                || copyStart(of: path + suffix, to: folder.copy + suffix, limit: copiedSideBytes)
        }
    }

    private static func copyStart(of path: String, to copy: String, limit: Int) -> Bool {
        let count = min(limit, Int(clamping: File.size(path)))
        return (try? File.create(copy, File.prefix(of: path, count: count))) != nil
    }
}

extension Fault {
    static func wrongKey(_ path: String) -> Fault {
        Fault(.wrongKey, "cannot decrypt \(path): it was written with another key, or its first page is damaged")
    }
}
