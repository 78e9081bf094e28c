/// Keeps other processes, and other owners in this one, from a folder until it is released. The system gives it up
/// with the process, however that ends.
package final class FolderLock {
    private let folder: OpenFile

    /// What the system calls the locked folder. A duplicate of it shares the lock.
    package var descriptor: Int32 { folder.descriptor }

    /// Takes the lock of a folder; nil if it is taken, or the folder was removed before it was locked.
    package init?(_ path: String, followsLink: Bool = true) throws(SystemError) {
        folder = try OpenFile(folder: path, followsLink: followsLink)
        guard try folder.lock() else { return nil }
        guard let locked = folder.status?.identity, locked == FileStatus(of: path)?.identity else { return nil }
    }

    /// Gives the lock up now.
    package func release() {
        folder.unlock()
        folder.close()
    }

    deinit { release() }
}
