import Platform

/// Why a connection cannot be used any more.
enum StreamFailure: Error {
    /// The other side closed it before everything had come.
    case ended
    /// The time was over.
    case timedOut
    /// A line or a head is longer than its limit.
    case tooLong
    /// What came is not HTTP.
    case malformed
}

/// Reads lines and bytes of a connection, and writes to it, before a deadline. One thread.
final class ByteStream {
    static let pieceLength = 64 << 10

    let socket: LoopbackSocket
    var deadline: Deadline
    /// What has come; everything before `start` is used up.
    private var buffer: [UInt8] = []
    private var start = 0

    init(_ socket: LoopbackSocket, deadline: Deadline) {
        self.socket = socket
        self.deadline = deadline
    }

    /// The number of bytes that have come and are not used up.
    var available: Int { buffer.count - start }

    /// Waits for something to read and takes it into the buffer; false at the end.
    func fill() throws(StreamFailure) -> Bool {
        if start > Self.pieceLength {
            buffer.removeFirst(start)
            start = 0
        }
        return try read(into: &buffer, atMost: Self.pieceLength)
    }

    private func read(into bytes: inout [UInt8], atMost count: Int) throws(StreamFailure) -> Bool {
        while true {
            do {
                return try socket.read(into: &bytes, atMost: count)
            } catch  where error.wouldBlock {
                try waitForBytes()
            } catch {
                throw .ended
            }
        }
    }

    private func waitForBytes() throws(StreamFailure) {
        let left = deadline.milliseconds
        guard left > 0 else {
            throw .timedOut
        }
        do {
            _ = try socket.wait(for: .reading, milliseconds: left)
        } catch {
            throw .ended
        }
    }
}

// MARK: - Lines and bytes
extension ByteStream {
    /// The next line without its CR and LF. Throws `tooLong` if it has more bytes than the limit.
    func line(limit: Int) throws(StreamFailure) -> [UInt8] {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                guard end - start - 1 <= limit else {
                    throw .tooLong
                }
                guard end > start, buffer[end - 1] == 0x0D else {
                    throw .malformed
                }
                defer { start = end + 1 }
                return Array(buffer[start..<end - 1])
            }
            guard available - 1 <= limit else {
                throw .tooLong
            }
            let used = buffer.count - start
            guard try fill() else {
                throw .ended
            }
            // `fill` may have moved the buffer.
            searched = start + used
        }
    }

    /// Appends the next `count` bytes. Throws `ended` if the connection ends before.
    func append(_ count: Int, to bytes: inout [UInt8]) throws(StreamFailure) {
        let ready = min(count, available)
        bytes += buffer[start..<start + ready]
        start += ready
        var missing = count - ready
        while missing > 0 {
            let before = bytes.count
            guard try read(into: &bytes, atMost: min(missing, Self.pieceLength)) else {
                throw .ended
            }
            missing -= bytes.count - before
        }
    }

    /// Appends some of what comes next; false at the end.
    func appendPiece(to bytes: inout [UInt8]) throws(StreamFailure) -> Bool {
        guard available == 0 else {
            bytes += buffer[start...]
            start = buffer.count
            return true
        }
        return try read(into: &bytes, atMost: Self.pieceLength)
    }
}

// MARK: - Writing
extension ByteStream {
    /// Writes all bytes. Returns how many of them the system took: fewer if the other side has closed the connection,
    /// or has sent something and `stopsAtAnswer` is set.
    func write(_ bytes: [UInt8], stopsAtAnswer: Bool = false) throws(StreamFailure) -> Int {
        var rest = bytes[...]
        while !rest.isEmpty {
            do {
                rest = rest.dropFirst(try socket.writeSome(rest))
                continue
            } catch  where error.wouldBlock {
                let left = deadline.milliseconds
                guard left > 0 else {
                    throw .timedOut
                }
                guard let ready = try? socket.wait(for: stopsAtAnswer ? .either : .writing, milliseconds: left) else {
                    break
                }
                if ready.isReadable {
                    break
                }
            } catch {
                break
            }
        }
        return bytes.count - rest.count
    }
}
