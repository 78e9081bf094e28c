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
    private let lock: Int32?

    /// Takes the folder, waiting at most `patience` milliseconds for another process.
    ///
    /// - Throws: `busy`, `inputOutput`.
    init(beside database: String, patience: Int) throws(Fault) {
        let wanted = Self.path(beside: database)
        var waited = 0
        while true {
            let isMade = FileSystem.makeFolder(wanted)
            if let lock = FileSystem.lock(folder: wanted) {
                FileSystem.empty(folder: wanted)
                self.init(path: wanted, lock: lock)
                return
            }
            if !isMade, FileSystem.status(of: wanted) == nil {
                break
            }
            guard waited < patience else {
                throw Fault(.busy, "another process is trying a key on \(database): try again later")
            }
            FileSystem.sleep(milliseconds: 5)
            waited += 5
        }
        try self.init(temporaryFor: database)
    }

    /// Creates a folder among the system's temporary files.
    ///
    /// - Throws: `inputOutput`.
    init(temporaryFor database: String) throws(Fault) {
        guard let temporary = FileSystem.makeTemporaryFolder() else {
            throw Fault(
                .inputOutput,
                "cannot create a folder to try the key in: check that the folder of \(database), or TMPDIR, is writable"
            )
        }
        self.init(path: temporary, lock: nil)
    }

    private init(path: String, lock: Int32?) {
        self.path = path
        self.lock = lock
    }

    func remove() {
        FileSystem.remove(folder: path)
        if let lock {
            FileSystem.unlock(lock)
        }
    }

    static func path(beside database: String) -> String { database + ".probe" }

    /// Removes the folder that a killed process left next to a database.
    static func removeLeftOver(beside database: String) {
        let path = path(beside: database)
        guard FileSystem.status(of: path) != nil, let lock = FileSystem.lock(folder: path) else {
            return
        }
        FileSystem.remove(folder: path)
        FileSystem.unlock(lock)
    }
}
