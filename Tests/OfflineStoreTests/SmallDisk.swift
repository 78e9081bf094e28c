import FoundationEssentials
import Libc
import TestSupport

/// A file system of a few megabytes that can be filled to the last byte. Only root may mount one, on Linux.
final class SmallDisk: @unchecked Sendable {
    let folder: TemporaryFolder
    var path: String { folder.path }
    private var ballast: String { folder.file("ballast") }

    static let isPossible = (try? SmallDisk(megabytes: 1)) != nil

    struct Failure: Error {}

    init(megabytes: Int) throws {
        folder = try TemporaryFolder()
        #if os(Linux)
        guard geteuid() == 0, mount("tmpfs", folder.path, "tmpfs", 0, "size=\(megabytes)m") == 0 else {
            throw Failure()
        }
        #else
        throw Failure()
        #endif
    }

    deinit {
        #if os(Linux)
        // Lazily, because a failed test may still have files open.
        umount2(folder.path, Int32(MNT_DETACH))
        #endif
    }

    /// Writes until nothing more can be written.
    func fill() {
        let descriptor = open(ballast, O_WRONLY | O_CREAT | O_APPEND, 0o600)
        defer { close(descriptor) }
        let block = [UInt8](repeating: 0, count: 4096)
        while write(descriptor, block, block.count) > 0 {}
    }

    /// Writes until nothing more can be written, and frees so many bytes again.
    func fill(leaving room: Int) {
        fill()
        var status = stat()
        guard stat(ballast, &status) == 0 else { return }
        truncate(ballast, max(0, Int(status.st_size) - room))
    }

    func makeRoom() { unlink(ballast) }
}
