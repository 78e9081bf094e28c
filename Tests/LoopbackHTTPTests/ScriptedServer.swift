import Platform
import TestSupport

/// Answers one connection with bytes as they are, whatever was asked, and closes it.
final class ScriptedServer: Sendable {
    let port: UInt16
    private let thread: OwnThread<Void>

    /// The pieces are written one after the other.
    init(_ pieces: [[UInt8]]) throws {
        let listener = try LoopbackSocket.listening(onPort: 0)
        port = listener.port
        thread = OwnThread { try Self.answer(listener, pieces) }
    }

    private static func answer(_ listener: LoopbackSocket, _ pieces: [[UInt8]]) throws {
        let client = RawClient(socket: try accepted(listener))
        _ = try client.read(until: "\r\n\r\n")
        for piece in pieces {
            client.write(piece)
        }
        client.socket.endWriting()
        _ = client.socket.waitForEnd(milliseconds: Waiting.milliseconds)
    }

    private static func accepted(_ listener: LoopbackSocket) throws -> LoopbackSocket {
        while true {
            _ = try listener.wait(for: .reading, milliseconds: Waiting.milliseconds)
            if let socket = try listener.accepted() {
                return socket
            }
        }
    }

    convenience init(_ text: String) throws { try self.init([Array(text.utf8)]) }

    func end() async throws { try await thread.value() }
}

extension RawClient {
    init(socket: LoopbackSocket) { self.socket = socket }
}
