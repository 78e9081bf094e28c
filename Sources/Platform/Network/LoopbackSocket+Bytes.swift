import Libc

extension LoopbackSocket {
    /// Appends what has come to the bytes, at most `count`; false at the end. Throws `wouldBlock` if nothing has come.
    package func read(into bytes: inout [UInt8], atMost count: Int) throws(SystemError) -> Bool {
        let piece = try file.read(atMost: count)
        bytes += piece
        return !piece.isEmpty
    }

    /// Writes as many bytes as fit now and returns how many those are. Throws `wouldBlock` if none does. A connection
    /// that the other side closed is an error, and not a signal.
    package func writeSome(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int {
        #if canImport(Darwin)
        let flags: Int32 = 0
        #else
        let flags = Int32(MSG_NOSIGNAL)
        #endif
        while true {
            let count = bytes.withUnsafeBytes { send(file.descriptor, $0.baseAddress, $0.count, flags) }
            if count >= 0 {
                return count
            }
            guard errno == EINTR else {
                throw .last("write to a connection")
            }
        }
    }

    /// What a thread waits for.
    package enum Event: Sendable {
        case reading
        case writing
        case either
    }

    /// Waits until something can be read or written, at most so long. A connection that has ended is ready for all that
    /// is waited for: using it says so.
    package func wait(for event: Event, milliseconds: Int) throws(SystemError) -> Readiness {
        let asked = (event == .writing ? 0 : POLLIN) | (event == .reading ? 0 : POLLOUT)
        var waiting = pollfd(fd: file.descriptor, events: Int16(asked), revents: 0)
        guard poll(&waiting, 1, Int32(clamping: milliseconds)) >= 0 else {
            guard errno == EINTR else {
                throw .last("wait for a connection")
            }
            return Readiness(isReadable: false, isWritable: false)
        }
        let happened = Int32(waiting.revents)
        let hasEnded = happened & ~Int32(POLLIN | POLLOUT) != 0
        return Readiness(
            isReadable: event != .writing && (hasEnded || happened & Int32(POLLIN) != 0),
            isWritable: event != .reading && (hasEnded || happened & Int32(POLLOUT) != 0))
    }

    /// Waits until the other side has closed the connection or this side has ended it, at most so long; false if the
    /// time is over. What the other side still sends does not matter.
    package func waitForEnd(milliseconds: Int) -> Bool {
        #if canImport(Darwin)
        let events: Int16 = 0
        #else
        // POLLRDHUP: the other side will not write any more.
        let events: Int16 = 0x2000
        #endif
        var waiting = pollfd(fd: file.descriptor, events: events, revents: 0)
        let (length, isTooLong) = UInt64(max(0, milliseconds)).multipliedReportingOverflow(by: 1_000_000)
        let (sum, isTooLate) = SystemClock.monotonicNanoseconds.addingReportingOverflow(length)
        let end = isTooLong || isTooLate ? UInt64.max : sum
        while true {
            let now = SystemClock.monotonicNanoseconds
            guard now < end else { return false }
            let left = (end - now) / 1_000_000 + 1
            let count = poll(&waiting, 1, Int32(clamping: min(left, Self.longestPoll)))
            if count > 0 || (count < 0 && errno != EINTR) {
                return true
            }
            if Self.looksForEnd, isAtEnd {
                return true
            }
        }
    }

    #if canImport(Darwin)
    // Darwin does not report to a poll without events that the other side has closed the connection.
    private static let looksForEnd = true
    private static let longestPoll: UInt64 = 100
    #else
    private static let looksForEnd = false
    private static let longestPoll = UInt64(Int32.max)
    #endif

    /// Whether nothing more will come. What has come and was not read hides that.
    private var isAtEnd: Bool {
        var byte: UInt8 = 0
        let count = recv(file.descriptor, &byte, 1, Int32(MSG_PEEK))
        return count == 0 || (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)
    }
}
