import Platform
import ServiceTransport
import Synchronization

/// One request over a connection of its own.
final class LoopbackCall: Sendable {
    private struct State {
        var isCancelled = false
        var socket: LoopbackSocket?
    }

    private let request: ServiceRequest
    private let port: UInt16
    private let timeout: Int
    private let state = Mutex(State())

    init(_ request: ServiceRequest, port: UInt16, timeout: Int) {
        self.request = request
        self.port = port
        self.timeout = timeout
    }

    /// Ends the connection, which wakes the thread that waits for it.
    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // Under the lock: the socket must not be closed, and its number given to another file, in between.
            state.socket?.end()
        }
    }

    private var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Sends the request and waits for its answer. Blocks the calling thread.
    func result() -> Result<ServiceResponse, any Error> { Result { try send() } }

    private func send() throws -> ServiceResponse {
        let deadline = Deadline(milliseconds: timeout)
        guard let bytes = HTTPWriter.bytes(of: request, host: "127.0.0.1:\(port)") else {
            throw TransportFailure.notSent("the request cannot be written: check its method, target and headers")
        }
        let socket = try connect(deadline)
        defer {
            state.withLock { $0.socket = nil }
            socket.close()
        }
        let stream = ByteStream(socket, deadline: deadline)
        try write(bytes, to: stream)
        let answer: Result<ServiceResponse, Fault>
        do throws(StreamFailure) {
            answer = try HTTPAnswerReader(stream: stream, request: request) { self.isCancelled }.read()
        } catch {
            throw isCancelled ? TransportFailure.cancelled : TransportFailure.noAnswer(error.description)
        }
        return try answer.get()
    }

    private func connect(_ deadline: Deadline) throws(TransportFailure) -> LoopbackSocket {
        let socket: LoopbackSocket
        do {
            socket = try LoopbackSocket.connected(toPort: port, milliseconds: deadline.milliseconds)
        } catch {
            throw .notSent("127.0.0.1 port \(port): \(error.reason)")
        }
        let isCancelled = state.withLock { state in
            state.socket = socket
            return state.isCancelled
        }
        guard !isCancelled else {
            throw .notSent("the task was cancelled before anything was sent")
        }
        return socket
    }

    /// Writes the request. A server that refuses it may answer before it has come whole: what was not written then does
    /// not matter.
    private func write(_ bytes: [UInt8], to stream: ByteStream) throws(TransportFailure) {
        let written: Int
        do throws(StreamFailure) {
            written = try stream.write(bytes, stopsAtAnswer: true)
        } catch {
            throw isCancelled ? .cancelled : .noAnswer("the request could not be written in time")
        }
        guard written == 0 else { return }
        throw .notSent("the connection was closed before anything was sent")
    }
}

extension StreamFailure: CustomStringConvertible {
    var description: String {
        switch self {
        case .ended: "the connection was closed before the whole answer had come"
        case .timedOut: "the whole answer had not come in time"
        case .tooLong, .malformed: "the answer is not HTTP"
        }
    }
}
