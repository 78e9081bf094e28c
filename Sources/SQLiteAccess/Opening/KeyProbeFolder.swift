import Platform
import Soups

/// Owns the folder in which a key is tried on a copy: next to the database under a fixed name, locked by the process
/// that uses it.
///
/// The lock tells a folder in use from one that a killed process left. If the database's folder cannot be written or is
/// full, a temporary folder is used.
struct KeyProbeFolder {
    let path: String
    /// The copy of the database in it.
    var copy: String { path + "/copy" }
    private let lock: FolderLock?

    /// Takes the folder, waiting at most `patience` milliseconds for another process.
    ///
    /// - Throws: `busy`, `inputOutput`.
    init(beside database: String, patience: Int) throws(Fault) {
        let wanted = Self.path(beside: database)
        var waited = 0
        while true {
            let isMade = (try? Folder.make(wanted)) != nil
            if let lock = Self.lock(wanted) {
                Folder.empty(wanted)
                self.init(path: wanted, lock: lock)
                return
            }
            if !isMade, FileStatus(of: wanted) == nil {
                break
            }
            guard waited < patience else {
                throw Fault(.busy, "another process is trying a key on \(database): try again later")
            }
            CurrentThread.sleep(.milliseconds(5))
            waited += 5
        }
        try self.init(temporaryFor: database)
    }

    /// Creates a folder among the system's temporary files.
    ///
    /// - Throws: `inputOutput`.
    init(temporaryFor database: String) throws(Fault) {
        guard let temporary = try? Folder.makeTemporary() else {
            throw Fault(
                .inputOutput,
                "cannot create a folder to try the key in: check that the folder of \(database), or TMPDIR, is writable"
            )
        }
        self.init(path: temporary, lock: nil)
    }

    private init(path: String, lock: FolderLock?) {
        self.path = path
        self.lock = lock
    }

    /// Removes the folder and what is in it; the lock is held to the end of that.
    func remove() {
        Folder.empty(path)
        Folder.removeIfEmpty(path)
        lock?.release()
    }

    static func path(beside database: String) -> String { database + ".probe" }

    /// Removes the folder that a killed process left next to a database.
    static func removeLeftOver(beside database: String) {
        let path = path(beside: database)
        guard FileStatus(of: path) != nil, let lock = lock(path) else {
            return
        }
        KeyProbeFolder(path: path, lock: lock).remove()
    }

    /// Nil where another process uses the folder, or there is none.
    static func lock(_ path: String) -> FolderLock? { try? FolderLock(path, followsLink: false) }
}
