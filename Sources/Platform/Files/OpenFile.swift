import Libc
import Synchronization

/// Holds a file open until it is closed or released. Calls that a signal interrupts are repeated.
///
/// Never for a database file that a connection of this process may have open: closing any descriptor of it drops the
/// locks of all. Threads may share it; the system keeps one position for all of them.
package final class OpenFile: Sendable {
    package enum Mode: Sendable {
        case reading
        /// Makes a file that only its owner may read and write; fails if something has the name.
        case creating
        /// Makes such a file, or empties the one that is there.
        case replacing
        /// Writes to the end of a file that is there.
        case appending
    }

    private let state: Atomic<Int32>
    private let isOwned: Bool

    /// What the system calls the file; -1 once it is closed, so that using it is an error.
    package var descriptor: Int32 { state.load(ordering: .relaxed) }

    package convenience init(_ path: String, _ mode: Mode = .reading) throws(SystemError) {
        let (flags, action) =
            switch mode {
            case .reading: (O_RDONLY, "open a file")
            case .creating: (O_WRONLY | O_CREAT | O_EXCL, "create a file")
            case .replacing: (O_WRONLY | O_CREAT | O_TRUNC, "create a file")
            case .appending: (O_WRONLY | O_APPEND, "open a file")
            }
        try self.init(path, flags, action)
    }

    /// Opens a folder, so that it can be locked or brought to the disk.
    package convenience init(folder path: String, followsLink: Bool = true) throws(SystemError) {
        try self.init(path, O_RDONLY | O_DIRECTORY | (followsLink ? 0 : O_NOFOLLOW), "open a folder")
    }

    private convenience init(_ path: String, _ flags: Int32, _ action: String) throws(SystemError) {
        let descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .last(action)
        }
        self.init(owning: descriptor)
    }

    /// Takes over an open descriptor, and closes it in the end.
    init(owning descriptor: Int32) {
        state = Atomic(descriptor)
        isOwned = true
    }

    /// Uses a descriptor, and leaves closing it to its owner.
    package init(borrowing descriptor: Int32) {
        state = Atomic(descriptor)
        isOwned = false
    }

    package static let standardInput = OpenFile(borrowing: 0)
    package static let standardOutput = OpenFile(borrowing: 1)
    package static let standardError = OpenFile(borrowing: 2)

    deinit { close() }

    /// Closes the file now, unless it is borrowed.
    package func close() {
        let descriptor = state.exchange(-1, ordering: .relaxed)
        if isOwned, descriptor >= 0 {
            _ = Libc.close(descriptor)
        }
    }

    /// Whether the file is a terminal.
    package var isTerminal: Bool { isatty(descriptor) == 1 }

    /// How many characters a line of the terminal has; nil if the file is not a terminal, or does not say.
    package var terminalWidth: Int? {
        var size = winsize()
        guard isTerminal, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Nil if the system does not say.
    package var status: FileStatus? { FileStatus(ofDescriptor: descriptor) }

    /// Brings what was written to the disk; of a folder, the names in it.
    package func synchronize() throws(SystemError) {
        guard isFlushed() else {
            // Before anything else is asked of the system.
            let number = errno
            throw SystemError(status?.kind == .folder ? "write a folder" : "write a file", number)
        }
    }

    /// Has the system write what it keeps. On Darwin `fsync` leaves it to the drive, which keeps it in a memory of its
    /// own; not every file system there can do more.
    private func isFlushed() -> Bool {
        #if canImport(Darwin)
        if fcntl(descriptor, F_FULLFSYNC) == 0 {
            return true
        }
        guard errno == ENOTSUP || errno == EINVAL else { return false }
        #endif
        return fsync(descriptor) == 0
    }

    /// From now on reading and writing fail with `wouldBlock` instead of waiting.
    package func doNotBlock() { _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK) }
}
