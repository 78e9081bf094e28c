import Libc

/// Marks a folder of temporary data as in use: a file in it that is locked for as long as this object lives.
///
/// The system releases the lock with the process, however that ends. So a marked folder whose mark is not locked is
/// left over. A folder without a mark is never removed, whatever its name is. For this package only.
package final class FolderMark: Sendable {
    package static let fileName = ".in-use-by-soup"
    private static let action = "mark a folder as in use"
    private let descriptor: Int32

    /// Marks a folder of this process.
    ///
    /// - Parameter isInherited: Whether processes that this one starts hold the lock too, so that it lasts until the
    ///   last of them has ended.
    /// - Throws: An error that `wouldBlock` if another process uses the folder, another one if it cannot be marked.
    package init(marking folder: String, isInherited: Bool = false) throws(SystemError) {
        let path = folder + "/" + Self.fileName
        let closing = isInherited ? 0 : O_CLOEXEC
        do throws(SystemError) {
            descriptor = try Self.lock(path, flags: closing)
            return
        } catch {
            guard error.isMissing else {
                throw error
            }
        }
        // It is locked before it gets its name, so that it never looks left over.
        let unnamed = path + ".\(getpid())"
        descriptor = try Self.lock(unnamed, flags: closing | O_CREAT)
        guard rename(unnamed, path) == 0 else {
            let failure = SystemError.last(Self.action)
            close(descriptor)
            throw failure
        }
    }

    /// Takes over a folder whose processes have ended. Returns nil if it is in use, is not marked, or belongs to
    /// another user.
    package init?(leftOver folder: String) {
        var found = stat()
        guard lstat(folder, &found) == 0, found.st_mode & S_IFMT == S_IFDIR, found.st_uid == geteuid() else {
            return nil
        }
        do throws(SystemError) { descriptor = try Self.lock(folder + "/" + Self.fileName, flags: O_CLOEXEC) } catch {
            return nil
        }
    }

    deinit { close(descriptor) }

    private static func lock(_ path: String, flags: Int32) throws(SystemError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_NOFOLLOW | flags, 0o600)
        guard descriptor >= 0 else {
            throw SystemError.last(action)
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let failure = SystemError.last(action)
            close(descriptor)
            throw failure
        }
        var locked = stat()
        var there = stat()
        // Another process may have removed the file between opening and locking.
        guard fstat(descriptor, &locked) == 0, lstat(path, &there) == 0, locked.st_ino == there.st_ino,
            locked.st_dev == there.st_dev
        else {
            close(descriptor)
            throw SystemError(action, ENOENT)
        }
        return descriptor
    }

    /// Removes a folder and all that is in it. The mark goes last: if this is cut short, the rest is still marked.
    ///
    /// - Returns: Whether the folder is gone.
    @discardableResult
    package static func removeFolder(_ folder: String) -> Bool {
        for name in Folder.names(in: folder) where name != fileName {
            Folder.removeTree(folder + "/" + name)
        }
        // If something was added or could not be removed, the mark has to stay.
        guard Folder.names(in: folder).allSatisfy({ $0 == fileName }) else { return false }
        Folder.removeTree(folder)
        return access(folder, F_OK) != 0
    }
}
