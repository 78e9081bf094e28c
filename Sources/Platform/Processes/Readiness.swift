import Libc

/// Which of two files can be used without waiting. A file whose other side is closed is ready: using it says so.
package struct Readiness: Equatable {
    package let isReadable: Bool
    package let isWritable: Bool

    /// Waits until one of the files is ready, at most so long. Neither is ready when the time is over, or when a signal
    /// came.
    package static func wait(
        reading: OpenFile, writing: OpenFile? = nil, milliseconds: Int
    ) throws(SystemError) -> Readiness {
        var polls = [pollfd(fd: reading.descriptor, events: Int16(POLLIN), revents: 0)]
        if let writing {
            polls.append(pollfd(fd: writing.descriptor, events: Int16(POLLOUT), revents: 0))
        }
        guard poll(&polls, nfds_t(polls.count), Int32(clamping: milliseconds)) >= 0 else {
            guard errno == EINTR else {
                throw .last("wait for a file")
            }
            return Readiness(isReadable: false, isWritable: false)
        }
        return Readiness(
            isReadable: polls[0].revents != 0, isWritable: polls.count > 1 && polls[1].revents != 0)
    }
}
