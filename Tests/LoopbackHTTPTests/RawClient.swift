import Platform
import TestSupport

/// Writes bytes to a server as they are, and reads what it answers.
struct RawClient {
    let socket: LoopbackSocket

    init(port: UInt16) throws {
        socket = try LoopbackSocket.connected(toPort: port, milliseconds: Waiting.milliseconds)
    }

    /// Writes the text, and reads until the server closes the connection.
    static func exchange(_ text: String, port: UInt16) throws -> String {
        try exchange(Array(text.utf8), port: port)
    }

    static func exchange(_ bytes: [UInt8], port: UInt16) throws -> String {
        let client = try RawClient(port: port)
        client.write(bytes)
        client.socket.endWriting()
        return try client.readToEnd()
    }

    /// Writes as much as the server takes.
    func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            do throws(SystemError) {
                rest = rest.dropFirst(try socket.writeSome(rest))
            } catch {
                guard error.wouldBlock, canWrite() else { return }
            }
        }
    }

    /// Waits until the server takes more; false if it has begun to answer.
    private func canWrite() -> Bool {
        let ready = try? socket.wait(for: .either, milliseconds: Waiting.milliseconds)
        return ready?.isReadable == false
    }

    func readToEnd() throws -> String {
        var bytes: [UInt8] = []
        while try readPiece(into: &bytes) {}
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads until a text has come.
    func read(until text: String) throws -> String {
        var bytes: [UInt8] = []
        while !String(decoding: bytes, as: UTF8.self).contains(text) {
            guard try readPiece(into: &bytes) else { break }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Waits for what comes next; false at the end, or if the server has cut the connection.
    private func readPiece(into bytes: inout [UInt8]) throws -> Bool {
        while true {
            do throws(SystemError) {
                return try socket.read(into: &bytes, atMost: 1 << 16)
            } catch {
                guard error.wouldBlock else { return false }
                _ = try socket.wait(for: .reading, milliseconds: Waiting.milliseconds)
            }
        }
    }
}
