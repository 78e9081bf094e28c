import Platform
import ServiceTransport

/// Accepts connections and answers each on a thread of its own, until it is ended.
final class LoopbackListener: Sendable {
    private struct State {
        var isEnded = false
        /// The threads that run: that which accepts, and one for each connection.
        var threads = 0
        var connections: [ObjectIdentifier: LoopbackSocket] = [:]
    }

    let port: UInt16
    private let socket: LoopbackSocket
    private let limits: LoopbackLimits
    private let answer: @Sendable (ServiceRequest) -> LoopbackAnswer
    private let state = Monitor(State())

    init(
        _ socket: LoopbackSocket, limits: LoopbackLimits, answer: @escaping @Sendable (ServiceRequest) -> LoopbackAnswer
    ) {
        self.socket = socket
        self.limits = limits
        self.answer = answer
        port = socket.port
    }

    func start() throws(SystemError) {
        state.locked { $0.threads = 1 }
        do {
            try DetachedThread.start { self.accept() }
        } catch {
            state.locked { $0.threads = 0 }
            throw error
        }
    }

    func end() {
        let isFirst = state.locked { state in
            // Under the lock: a connection must not be closed, and its number given to another file, in between.
            for connection in state.connections.values {
                connection.end()
            }
            defer { state.isEnded = true }
            return !state.isEnded
        }
        guard isFirst else { return }
        // Wakes the thread that accepts.
        let knock = try? LoopbackSocket.connected(toPort: port, milliseconds: 1_000)
        knock?.close()
    }

    func waitForEnd() { state.wait { $0.threads == 0 ? () : nil } }

    private var isEnded: Bool { state.locked { $0.isEnded } }

    // MARK: - Accepting

    private func accept() {
        while !isEnded {
            do throws(SystemError) {
                guard let connection = try socket.accepted() else {
                    _ = try socket.wait(for: .reading, milliseconds: 60_000)
                    continue
                }
                begin(connection)
            } catch {
                // No descriptor is free: a connection that ends makes room.
                CurrentThread.sleep(.milliseconds(20))
            }
        }
        socket.close()
        state.change { $0.threads -= 1 }
    }

    private func begin(_ connection: LoopbackSocket) {
        let isTaken = state.locked { state in
            guard !state.isEnded, state.connections.count < limits.connections else { return false }
            state.connections[ObjectIdentifier(connection)] = connection
            state.threads += 1
            return true
        }
        guard isTaken else {
            refuse(connection)
            return
        }
        do {
            try DetachedThread.start {
                LoopbackConnection(connection, self.limits, self.answer).serve()
                self.remove(connection)
            }
        } catch {
            refuse(connection)
            remove(connection)
        }
    }

    private func remove(_ connection: LoopbackSocket) {
        state.locked { $0.connections[ObjectIdentifier(connection)] = nil }
        connection.close()
        state.change { $0.threads -= 1 }
    }

    /// Answers without waiting: the answer fits into what the system keeps for a connection.
    private func refuse(_ connection: LoopbackSocket) {
        let refusal = HTTPRefusal(503, "too many connections are open; close some")
        let bytes = HTTPWriter.bytes(of: refusal.response, toMethod: "GET", keepsConnection: false)
        _ = try? connection.writeSome(bytes[...])
        connection.endWriting()
        connection.close()
    }
}
