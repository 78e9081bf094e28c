import Libc
package import Synchronization

/// Waits for a file to be written to, by any process; the wait can also be ended by a call.
///
/// Takes the path of the file and opens no descriptor of it. The event comes when a page is written, which may be long
/// before the writer has finished: it is a hint and no more. Where the system cannot watch a path (Darwin needs a
/// descriptor), it only waits.
///
/// `@unchecked Sendable`: descriptors do not change, and the system serialises their use.
package final class FileWatch: @unchecked Sendable {
    /// Whether watches made from now on look at their file; otherwise they only wait. For measuring what looking
    /// brings.
    package static let isUsed = Atomic(true)

    private let path: String
    private let pipe: Pipe
    /// Nil if the system has no such watches, or none left.
    private let events: OpenFile?

    /// - Parameter path: The file need not exist yet.
    package init(_ path: String) throws(SystemError) {
        self.path = path
        pipe = try Pipe()
        for end in [pipe.reading, pipe.writing] {
            _ = fcntl(end.descriptor, F_SETFL, O_NONBLOCK)
        }
        #if canImport(Darwin)
        events = nil
        #else
        let isUsed = Self.isUsed.load(ordering: .relaxed)
        let descriptor = isUsed ? inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC)) : -1
        events = descriptor < 0 ? nil : OpenFile(owning: descriptor)
        #endif
    }

    /// Waits so long, until the file is written to, or until `wake`. Returns whether it was written to.
    package func wait(_ time: Duration) -> Bool {
        look()
        var polls = [pollfd(fd: pipe.reading.descriptor, events: Int16(POLLIN), revents: 0)]
        if let events {
            polls.append(pollfd(fd: events.descriptor, events: Int16(POLLIN), revents: 0))
        }
        let (seconds, attoseconds) = time.components
        let milliseconds = seconds >= 1_000_000 ? 1_000_000_000 : seconds * 1000 + attoseconds / 1_000_000_000_000_000
        _ = poll(&polls, nfds_t(polls.count), Int32(clamping: max(1, milliseconds)))
        if polls[0].revents != 0 {
            Self.empty(pipe.reading)
        }
        guard let events, polls[1].revents != 0 else { return false }
        Self.empty(events)
        return true
    }

    /// Forgets what was written until now.
    package func forget() {
        if let events {
            Self.empty(events)
        }
    }

    /// Ends the wait that is under way, or the next one.
    package func wake() {
        var byte: UInt8 = 0
        _ = write(pipe.writing.descriptor, &byte, 1)
    }

    /// Watches the file that has the name now: it may have been removed and made again.
    private func look() {
        #if !canImport(Darwin)
        if let events {
            _ = inotify_add_watch(events.descriptor, path, UInt32(IN_MODIFY))
        }
        #endif
    }

    private static func empty(_ file: OpenFile) {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while read(file.descriptor, &bytes, bytes.count) > 0 {}
    }
}
