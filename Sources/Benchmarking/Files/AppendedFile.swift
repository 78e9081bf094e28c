#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Appends to a file in one call of the system, so that a reader sees whole pieces only.
enum AppendedFile {
    /// False if the file cannot be opened or takes only a part; the part is then cut off again.
    static func append(_ bytes: [UInt8], to path: String) -> Bool {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        let end = lseek(descriptor, 0, SEEK_END)
        let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
        if count != bytes.count {
            _ = ftruncate(descriptor, end)
            return false
        }
        return true
    }
}
