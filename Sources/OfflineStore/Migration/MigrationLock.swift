import Platform
import SQLiteAccess
import Soups

/// Lets one process at a time migrate a store: it holds the lock of a folder next to it, which the system gives up with
/// the process.
struct MigrationLock {
    private let path: String
    private let lock: FolderLock

    /// Takes the lock, waiting until it is free.
    ///
    /// - Throws: `readOnly`, `inputOutput` if the folder cannot be made; what `check` throws.
    init(ofStore store: String, checking check: () throws -> Void) throws {
        path = store + ".migrating"
        while true {
            do throws(SystemError) {
                try Folder.make(path)
            } catch {
                guard FileStatus(of: path)?.kind == .folder else {
                    throw Fault(error)
                }
            }
            if let lock = try? FolderLock(path, followsLink: false) {
                self.lock = lock
                return
            }
            try check()
            CurrentThread.sleep(.milliseconds(20))
        }
    }

    func release() {
        Folder.removeIfEmpty(path)
        lock.release()
    }

    /// Removes the folder that a killed process left.
    static func removeLeftOver(ofStore store: String) {
        let path = store + ".migrating"
        guard File.exists(path), let lock = try? FolderLock(path, followsLink: false) else { return }
        Folder.removeIfEmpty(path)
        lock.release()
    }
}
