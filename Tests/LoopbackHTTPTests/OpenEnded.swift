import Platform
import TestSupport

/// Answers one connection with the beginning of a body without a length, and leaves it open until the client ends it.
final class OpenEnded: Sendable {
    let port: UInt16
    let hasWritten = Signal()
    private let thread: OwnThread<Void>

    init() throws {
        let listener = try LoopbackSocket.listening(onPort: 0)
        port = listener.port
        let hasWritten = hasWritten
        thread = OwnThread {
            _ = try listener.wait(for: .reading, milliseconds: Waiting.milliseconds)
            guard let socket = try listener.accepted() else { return }
            let client = RawClient(socket: socket)
            _ = try client.read(until: "\r\n\r\n")
            client.write(Array("HTTP/1.1 200 OK\r\n\r\nthe first half".utf8))
            hasWritten.raise()
            _ = socket.waitForEnd(milliseconds: Waiting.milliseconds)
        }
    }

    var hasEnded: Bool { thread.hasEnded }

    func end() async throws { try await thread.value() }
}
