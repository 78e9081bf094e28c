import Libc

/// A call of the operating system that failed: what was tried, and the number that the system gave for the reason.
///
/// Paths are left out, because they may hold a user's name.
package struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried: `open a file`.
    package let action: String
    /// The system's number of the error (`errno`).
    package let number: Int32

    package init(_ action: String, _ number: Int32) {
        self.action = action
        self.number = number
    }

    /// Takes the number of the last error of the calling thread.
    static func last(_ action: String) -> SystemError { SystemError(action, errno) }

    /// The system's text for the number: `No such file or directory`.
    package var reason: String { String(cString: strerror(number)) }

    package var description: String { "cannot \(action): \(reason)" }
}

extension SystemError {
    /// There is no file or folder of that name.
    package var isMissing: Bool { number == ENOENT }

    /// The disk, or what the user may use of it, is full.
    package var isDiskFull: Bool { number == ENOSPC || number == EDQUOT }

    /// The file system, or the rights of a file or folder, do not allow it.
    package var isRefused: Bool { number == EROFS || number == EACCES }

    /// Symbolic links lead in a circle.
    package var isCircle: Bool { number == ELOOP }

    /// A name is not UTF-8.
    package var isNotText: Bool { number == EILSEQ }

    /// Nothing can be read or written just now, without waiting.
    package var wouldBlock: Bool { number == EAGAIN || number == EWOULDBLOCK }

    /// The number for what was replaced or removed while it was being read.
    package static let changedWhileRead = ESTALE
}
