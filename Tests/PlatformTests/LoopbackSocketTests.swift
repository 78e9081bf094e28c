import Platform
import TestSupport
import Testing

@Suite struct LoopbackSocketTests {
    /// Both ends of a new connection.
    private static func pair() throws -> (client: LoopbackSocket, server: LoopbackSocket) {
        let listener = try LoopbackSocket.listening(onPort: 0)
        let client = try LoopbackSocket.connected(toPort: listener.port, milliseconds: Waiting.milliseconds)
        _ = try listener.wait(for: .reading, milliseconds: Waiting.milliseconds)
        return (client, try #require(try listener.accepted()))
    }

    @Test func `bytes go in both directions until one side has ended`() async throws {
        try await Threads.run {
            let (client, server) = try Self.pair()
            var bytes: [UInt8] = []
            let nothing = #expect(throws: SystemError.self) { try server.read(into: &bytes, atMost: 10) }
            #expect(nothing?.wouldBlock == true)
            #expect(try client.writeSome([1, 2, 3][...]) == 3)
            #expect(try server.wait(for: .either, milliseconds: Waiting.milliseconds).isReadable)
            #expect(try server.read(into: &bytes, atMost: 10) && bytes == [1, 2, 3])
            client.endWriting()
            #expect(try server.wait(for: .reading, milliseconds: Waiting.milliseconds).isReadable)
            #expect(try !server.read(into: &bytes, atMost: 10), "which is the end")
            #expect(try server.writeSome([4][...]) == 1, "the other direction is open")
            #expect(try client.wait(for: .reading, milliseconds: Waiting.milliseconds).isReadable)
            #expect(try client.read(into: &bytes, atMost: 10) && bytes == [1, 2, 3, 4])
        }
    }

    @Test func `an end wakes who waits for it, on either side`() async throws {
        try await Threads.run {
            let (client, server) = try Self.pair()
            #expect(!server.waitForEnd(milliseconds: 1))
            client.end()
            #expect(server.waitForEnd(milliseconds: Waiting.milliseconds) && client.waitForEnd(milliseconds: .max))
        }
    }

    @Test func `writing to a closed connection is an error and not a signal`() async throws {
        try await Threads.run {
            let (client, server) = try Self.pair()
            server.close()
            #expect(throws: SystemError.self) {
                while true {
                    _ = try client.writeSome([1][...])
                    _ = try client.wait(for: .reading, milliseconds: Waiting.milliseconds)
                }
            }
        }
    }

    @Test func `no connection waits at first, and a port without listener refuses`() throws {
        let listener = try LoopbackSocket.listening(onPort: 0)
        let port = listener.port
        #expect(try listener.accepted() == nil)
        #expect(throws: SystemError.self) { try LoopbackSocket.listening(onPort: port) }
        listener.close()
        let refused = #expect(throws: SystemError.self) {
            try LoopbackSocket.connected(toPort: port, milliseconds: Waiting.milliseconds)
        }
        #expect(refused?.action == "connect to a port")
    }
}
