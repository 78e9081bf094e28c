#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// Asks the operating system about files and the environment. Paths are Strings; nothing here opens a database that is
/// in use (see `OpenFiles`).
enum FileSystem {
    struct Status: Equatable {
        let identity: FileIdentity
        let size: Int64
        /// When the content was last changed, in nanoseconds since 1970.
        let modified: Int64
    }

    /// The value of an environment variable; nil if it is unset or empty.
    static func environment(_ name: String) -> String? {
        guard let value = getenv(name) else { return nil }
        let text = String(cString: value)
        return text.isEmpty ? nil : text
    }

    /// Device, inode, size and date of a file; nil if it does not exist.
    static func status(of path: String) -> Status? {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        #if canImport(Darwin)
        let time = found.st_mtimespec
        #else
        let time = found.st_mtim
        #endif
        return Status(
            identity: FileIdentity(device: UInt64(truncatingIfNeeded: found.st_dev), inode: UInt64(found.st_ino)),
            size: Int64(found.st_size),
            modified: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }

    /// Creates an empty file that only its owner may read and write. Returns false if it exists already or cannot be
    /// created.
    static func createEmpty(_ path: String) -> Bool {
        let descriptor = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        return close(descriptor) == 0
    }

    /// Reads at most `count` bytes from the start of a file.
    static func prefix(of path: String, count: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                read(descriptor, $0.baseAddress?.advanced(by: filled), count - filled)
            }
            if got < 0 {
                return nil
            }
            if got == 0 {
                break
            }
            filled += got
        }
        bytes.removeLast(count - filled)
        return bytes
    }

    /// Whether a rollback journal holds a transaction that is to be undone. A journal that is left after a finished
    /// transaction begins with zeros.
    static func isHotJournal(_ path: String) -> Bool {
        guard let status = status(of: path), status.size > 0 else { return false }
        return prefix(of: path, count: 1) != [0]
    }

    /// Writes a new file with these bytes, readable by its owner only.
    static func write(_ bytes: [UInt8], to path: String) -> Bool {
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let put = bytes.withUnsafeBytes { Self.put(descriptor, $0, from: written) }
            if put <= 0 {
                return false
            }
            written += put
        }
        return true
    }

    private static func put(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        #if canImport(Glibc)
        Glibc.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        #elseif canImport(Musl)
        Musl.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        #else
        Darwin.write(descriptor, bytes.baseAddress?.advanced(by: start), bytes.count - start)
        #endif
    }

    /// Creates a folder with an unpredictable name that only its owner may read; nil if that fails.
    static func makeTemporaryFolder() -> String? {
        var template = Array(((environment("TMPDIR") ?? "/tmp") + "/soup-XXXXXX").utf8CString)
        return template.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress, mkdtemp(start) != nil else { return nil }
            return String(cString: start)
        }
    }

    /// Creates a folder that only its owner may read. Returns false if something of that name exists or the folder
    /// cannot be created.
    static func makeFolder(_ path: String) -> Bool { mkdir(path, 0o700) == 0 }

    /// Opens a folder and locks it until the descriptor is closed; nil if another descriptor has the lock, or the
    /// folder does not exist.
    static func lock(folder: String) -> Int32? {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var locked = stat()
        // Another process may have removed it between opening and locking.
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, fstat(descriptor, &locked) == 0,
            let there = status(of: folder),
            there.identity.inode == UInt64(locked.st_ino)
        else {
            close(descriptor)
            return nil
        }
        return descriptor
    }

    static func unlock(_ descriptor: Int32) { close(descriptor) }

    static func sleep(milliseconds: Int) { usleep(UInt32(clamping: milliseconds * 1000)) }

    /// Removes the files in a folder, then the folder.
    static func remove(folder: String) {
        empty(folder: folder)
        rmdir(folder)
    }

    /// Removes the files in a folder.
    static func empty(folder: String) {
        for name in names(in: folder) {
            unlink(folder + "/" + name)
        }
    }

    /// The names in a folder; empty if it cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else {
            return []
        }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." {
                names.append(name)
            }
        }
        return names
    }

    /// The working folder and all folders above it, nearest first.
    static func foldersUpwards() -> [String] {
        guard let start = getcwd(nil, 0) else {
            return []
        }
        defer { free(start) }
        var folders: [String] = []
        var parts = String(cString: start).split(separator: "/")
        while true {
            folders.append("/" + parts.joined(separator: "/"))
            guard parts.popLast() != nil else {
                return folders
            }
        }
    }

    /// Overwrites memory in a way that the optimiser may not remove.
    static func zero(_ memory: UnsafeMutableRawBufferPointer) {
        guard let start = memory.baseAddress else { return }
        #if canImport(Darwin)
        memset_s(start, memory.count, 0, memory.count)
        #else
        explicit_bzero(start, memory.count)
        #endif
    }
}
