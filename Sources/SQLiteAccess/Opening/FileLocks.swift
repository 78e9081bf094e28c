#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Finds the locks by which SQLite's connections know of each other. Source:
/// https://sqlite.org/fileformat2.html#the_lock_byte_page.
///
/// The file is opened and closed for that, so it must be one to which this process has no connection.
enum FileLocks {
    /// The bytes that SQLite locks: one for a pending writer, one for the writer, 510 for readers. In WAL mode each
    /// connection locks one of the latter from its first statement until it is closed, in other modes during each
    /// transaction.
    private static let start: Int64 = 0x4000_0000
    private static let count: Int64 = 512

    /// Whether another process holds a lock on a database file. False if that cannot be found out.
    static func isHeldElsewhere(_ path: String) -> Bool { holder(of: path) != nil }

    /// The process that holds a lock on a database file; 0 if the system does not say which, nil if there is none.
    static func holder(of path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = off_t(start)
        lock.l_len = off_t(count)
        guard fcntl(descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else {
            return nil
        }
        return max(0, lock.l_pid)
    }
}
