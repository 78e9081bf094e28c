import Soups

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Keeps other processes from measuring into the same folder, for as long as it lives. The system gives it up with the
/// process, however that ends.
final class FolderLock {
    private let descriptor: Int32

    /// - Throws: `busy` if another run holds the folder, `inputOutput` if it cannot be opened.
    init(_ path: String) throws(Fault) {
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Fault(.inputOutput, "the folder \(path) cannot be opened")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let isHeld = errno == EWOULDBLOCK
            throw Fault(
                isHeld ? .busy : .inputOutput,
                isHeld
                    ? "another process is measuring into \(path); wait for its end"
                    : "the folder \(path) cannot be locked")
        }
    }

    deinit { close(descriptor) }
}
