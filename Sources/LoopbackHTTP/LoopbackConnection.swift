import Platform
import ServiceTransport

/// Answers the requests of one connection, one after the other.
struct LoopbackConnection {
    /// How long, and up to how many bytes, the rest of a refused request is read, so that the client sees the answer:
    /// closing at once would throw it away.
    private static let lingerSeconds = 2
    private static let lingerBytes = 64 << 20

    private let socket: LoopbackSocket
    private let limits: LoopbackLimits
    private let answer: @Sendable (ServiceRequest) -> LoopbackAnswer
    private let stream: ByteStream

    init(
        _ socket: LoopbackSocket, _ limits: LoopbackLimits,
        _ answer: @escaping @Sendable (ServiceRequest) -> LoopbackAnswer
    ) {
        self.socket = socket
        self.limits = limits
        self.answer = answer
        stream = ByteStream(socket, deadline: Deadline(seconds: limits.idleSeconds))
    }

    func serve() {
        let reader = HTTPRequestReader(stream: stream, limits: limits)
        do throws(HTTPRefusal) {
            while let request = try reader.next() {
                guard serve(request) else {
                    break
                }
            }
        } catch {
            write(HTTPWriter.bytes(of: error.response, toMethod: "GET", keepsConnection: false))
            linger()
        }
        socket.end()
    }

    /// Returns whether the connection can be used further.
    private func serve(_ request: HTTPRequest) -> Bool {
        let answer = answer(request.request)
        if answer.delay > 0, socket.waitForEnd(milliseconds: answer.delay) {
            return false
        }
        let method = request.request.method
        switch answer.ending {
        case .whole:
            let bytes = HTTPWriter.bytes(
                of: answer.response, toMethod: method, keepsConnection: request.keepsConnection)
            return write(bytes) && request.keepsConnection
        case .cut(let count):
            let bytes = HTTPWriter.bytes(
                of: answer.response, toMethod: method, keepsConnection: request.keepsConnection,
                bodyBytes: max(0, count))
            write(bytes)
            return false
        case .dropped:
            return false
        case .silent:
            while !socket.waitForEnd(milliseconds: 60_000) {}
            return false
        }
    }

    @discardableResult
    private func write(_ bytes: [UInt8]) -> Bool {
        stream.deadline = Deadline(seconds: limits.answerSeconds)
        return (try? stream.write(bytes)) == bytes.count
    }

    private func linger() {
        socket.endWriting()
        stream.deadline = Deadline(seconds: Self.lingerSeconds)
        var left = Self.lingerBytes
        var piece: [UInt8] = []
        while left > 0, (try? stream.appendPiece(to: &piece)) == true {
            left -= piece.count
            piece.removeAll(keepingCapacity: true)
        }
    }
}
