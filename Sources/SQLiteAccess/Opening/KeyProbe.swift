import CSQLite
import Soups

/// Tries a key on a copy of the start of a file, where a left-over -wal or -journal means that even a failed attempt on
/// the file itself would change something: SQLite would recover, checkpoint and remove the side files before it can
/// know that the key is wrong.
///
/// The copy holds what is encrypted on the disk already, in a folder beside the file (`.probe`) that only its owner can
/// read. It is gone when the check returns; what a killed process left of it is removed when the database is next
/// opened.
enum KeyProbe {
    /// The first page, whatever its size, and the header page of a rollback journal's original lie within this.
    private static let copiedBytes = 1 << 17
    /// A longer -wal is copied up to here: the frames of the first page that matter were written when the file was made
    /// or its schema changed.
    private static let copiedSideBytes = 64 << 20

    static func check(_ path: String, key: Key, library: SQLiteLibrary, settings: ConnectionSettings) throws(Fault) {
        let folder = try KeyProbeFolder(beside: path, patience: settings.busyTimeout)
        defer { folder.remove() }
        let copy = folder.path + "/copy"
        guard copyStart(of: path, to: copy, limit: copiedBytes) else {
            throw Fault(.inputOutput, "the file \(path) cannot be copied to try the key on it")
        }
        for suffix in ["-wal", "-journal"] where FileSystem.status(of: path + suffix) != nil {
            guard copyStart(of: path + suffix, to: copy + suffix, limit: copiedSideBytes) else {
                throw Fault(.inputOutput, "the file \(path + suffix) cannot be copied to try the key on it")
            }
        }
        let handle = try RawHandle(path: copy, library: library, flags: SQ_OPEN_READWRITE)
        defer { handle.close() }
        try handle.apply(key: key, cipher: settings.cipher)
        // The rest of the file is missing, so a sound first page may still end in `corrupt`; only NOTADB speaks of the
        // key.
        if handle.execute("PRAGMA schema_version").primary == SQ_NOTADB {
            throw Fault.wrongKey(path)
        }
    }

    private static func copyStart(of path: String, to copy: String, limit: Int) -> Bool {
        let size = FileSystem.status(of: path).map { Int(clamping: $0.size) } ?? 0
        guard let bytes = FileSystem.prefix(of: path, count: min(limit, size)) else { return false }
        return FileSystem.write(bytes, to: copy)
    }
}

extension Fault {
    static func wrongKey(_ path: String) -> Fault {
        Fault(.wrongKey, "\(path) does not open with this key: another key was used, or its first page is damaged")
    }
}
