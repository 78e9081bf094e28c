import Soups

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Keeps a file open for reading as long as it lives. Not for database files.
final class InputFile {
    let descriptor: Int32

    init(_ path: String) throws(Fault) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw Fault(.inputOutput, "cannot open \(path): \(String(cString: strerror(errno)))")
        }
    }

    deinit { close(descriptor) }
}
