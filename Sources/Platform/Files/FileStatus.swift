import Libc

/// What the system says about a file or folder without opening it.
package struct FileStatus: Equatable, Sendable {
    package enum Kind: Sendable {
        case file
        case folder
        case link
        case other
    }

    package let identity: FileIdentity
    package let kind: Kind
    package let size: Int64
    /// When the content was last changed, in nanoseconds since 1970.
    package let modified: Int64

    /// Asks about the file that a path leads to; nil if it is missing, or cannot be asked.
    package init?(of path: String) {
        var found = stat()
        guard stat(path, &found) == 0 else { return nil }
        self.init(found)
    }

    /// Asks about what has the name itself, be it a symbolic link; nil if it is missing, or cannot be asked.
    package init?(ofLink path: String) {
        var found = stat()
        guard lstat(path, &found) == 0 else { return nil }
        self.init(found)
    }

    /// Asks about an open file; nil if the descriptor is not open.
    init?(ofDescriptor descriptor: Int32) {
        var found = stat()
        guard fstat(descriptor, &found) == 0 else { return nil }
        self.init(found)
    }

    private init(_ found: stat) {
        #if canImport(Darwin)
        let time = found.st_mtimespec
        #else
        let time = found.st_mtim
        #endif
        identity = FileIdentity(device: UInt64(truncatingIfNeeded: found.st_dev), inode: UInt64(found.st_ino))
        size = Int64(found.st_size)
        modified = Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
        kind =
            switch found.st_mode & S_IFMT {
            case S_IFREG: .file
            case S_IFDIR: .folder
            case S_IFLNK: .link
            default: .other
            }
    }
}
