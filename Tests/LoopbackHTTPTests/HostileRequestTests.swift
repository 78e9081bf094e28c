import LoopbackHTTP
import Platform
import TestSupport
import Testing

/// What a client may send instead of a request, or without an end.
@Suite struct HostileRequestTests {
    /// The status that a server answers, 0 for none; and that it still answers others.
    private func status(_ bytes: [UInt8], limits: LoopbackLimits = LoopbackLimits()) async throws -> Int {
        let echo = try EchoServer(limits: limits)
        let answer = try await Threads.run { try RawClient.exchange(bytes, port: echo.port) }
        let after = try await echo.transport.send(ServiceRequest(method: "GET", path: "/after"))
        #expect(after.status == 200)
        #expect(echo.requests.last?.path == "/after")
        guard !answer.isEmpty else { return 0 }
        let status = try #require(Int(answer.split(separator: " ")[1]))
        #expect(answer.hasPrefix("HTTP/1.1 "))
        if status >= 400 {
            #expect(echo.requests.count == 1, "a refused request does not reach the function")
            #expect(answer.contains("\"errorCode\":\"HTTP_\(status)\""))
            #expect(answer.contains("Connection: close"))
        }
        return status
    }

    private func status(_ text: String, limits: LoopbackLimits = LoopbackLimits()) async throws -> Int {
        try await status(Array(text.utf8), limits: limits)
    }

    @Test(arguments: [
        ("GET /\r\n\r\n", 400), ("GET  / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), (" / HTTP/1.1\r\n\r\n", 400),
        ("G(T / HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET / HTTP/2.0\r\nHost: localhost\r\n\r\n", 505),
        ("GET / HTTP/1.1\nHost: localhost\n\n", 400), ("GET / http/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421), ("GET / HTTP/1.1\r\nHost: 1.2.3.evil\r\n\r\n", 421),
        ("GET / HTTP/1.1\r\nHost: localhost.evil.example:80\r\n\r\n", 421),
        ("GET x HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET * HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("GET /ü HTTP/1.1\r\nHost: localhost\r\n\r\n", 400), ("GET /#a HTTP/1.1\r\nHost: localhost\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost : localhost\r\n\r\n", 400), ("GET / HTTP/1.1\r\nHost: localhost\r\n x\r\n\r\n", 400),
        ("GET / HTTP/1.1\r\nHost: localhost\r\nX: \u{1}\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: +1\r\n\r\na", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nZ\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: ,\r\n\r\n", 501),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding:\r\nContent-Length: 1\r\n\r\na", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1 a\r\na\r\n0\r\n\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n0\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffff\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n", 400),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 999999999999999999\r\n\r\n", 413),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: more\r\nContent-Length: 1\r\n\r\na", 417),
        ("\r\n\r\n\r\n\r\n\r\n", 400), ("\u{16}\u{3}\u{1}\u{2}\u{0}\r\n\r\n", 400), ("\r\nGET / HTTP/1.0\r\n\r\n", 200),
        // Cut: no client waits for an answer.
        ("", 0), ("G", 0), ("GET / HTTP/1.1\r\nHost: local", 0),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nabc", 0),
        ("POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab", 0),
    ])
    func `malformed requests get a status, and the server goes on`(text: String, expected: Int) async throws {
        #expect(try await status(text) == expected)
    }

    @Test func `requests over the limits get the status that says which`() async throws {
        var limits = LoopbackLimits()
        limits.headBytes = 1_000
        limits.bodyBytes = 100
        let long = String(repeating: "a", count: 1_001)
        #expect(try await status("GET /\(long) HTTP/1.1\r\nHost: localhost\r\n\r\n", limits: limits) == 414)
        #expect(try await status("GET / HTTP/1.1\r\nHost: localhost\r\nX: \(long)\r\n\r\n", limits: limits) == 431)
        let many = String(repeating: "X: a\r\n", count: 200)
        #expect(try await status("GET / HTTP/1.1\r\nHost: localhost\r\n\(many)\r\n", limits: limits) == 431)
        let post = "POST / HTTP/1.1\r\nHost: localhost\r\n"
        let body = String(repeating: "b", count: 101)
        #expect(try await status(post + "Content-Length: 101\r\n\r\n" + body, limits: limits) == 413)
        #expect(try await status(post + "Content-Length: 100\r\n\r\n" + body.dropLast(), limits: limits) == 200)
        let chunks = String(repeating: "1\r\nb\r\n", count: 101) + "0\r\n\r\n"
        #expect(try await status(post + "Transfer-Encoding: chunked\r\n\r\n" + chunks, limits: limits) == 413)
    }

    @Test func `random bytes and changed requests get a status or nothing`() async throws {
        let echo = try EchoServer()
        let seed: UInt64 = .random(in: 0..<1_000_000)
        print("HostileRequestTests seed \(seed)")
        let valid = Array("POST /a?b HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\nabc".utf8)
        try await Threads.run {
            var random = SeededRandom(seed: seed)
            for _ in 0..<400 {
                var bytes = valid
                for _ in 0..<Int.random(in: 1...4, using: &random) {
                    let index = Int.random(in: 0..<bytes.count, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: bytes[index] = .random(in: 0...255, using: &random)
                    case 1: bytes.removeSubrange(index..<min(bytes.count, index + 5))
                    case 2: bytes.insert(contentsOf: bytes[..<index], at: index)
                    default: bytes.append(contentsOf: Array("\r\n: 0".utf8))
                    }
                    if bytes.isEmpty {
                        bytes = valid
                    }
                }
                let answer = try RawClient.exchange(bytes, port: echo.port)
                #expect(answer.isEmpty || answer.hasPrefix("HTTP/1.1 "), "seed \(seed)")
            }
        }
        #expect(try await echo.transport.send(ServiceRequest(method: "GET", path: "/after")).status == 200)
    }

    @Test func `a slow request gets a status when its time is over`() async throws {
        var limits = LoopbackLimits()
        limits.requestSeconds = 1
        let echo = try EchoServer(limits: limits)
        let answer = try await Threads.run {
            let client = try RawClient(port: echo.port)
            client.write(Array("GET / HTTP/1.1\r\nHo".utf8))
            return try client.readToEnd()
        }
        #expect(answer.hasPrefix("HTTP/1.1 408 "))
    }

    @Test func `an idle connection is closed when its time is over`() async throws {
        var limits = LoopbackLimits()
        limits.idleSeconds = 1
        let echo = try EchoServer(limits: limits)
        let answer = try await Threads.run { try RawClient(port: echo.port).readToEnd() }
        #expect(answer.isEmpty)
    }

    @Test func `a client that does not read its answers is cut off`() async throws {
        var limits = LoopbackLimits()
        limits.answerSeconds = 1
        limits.connections = 1
        let length = 64 << 20
        let server = try LoopbackServer(limits: limits) { request in
            let isLong = request.path == "/long"
            return LoopbackAnswer(
                ServiceResponse(status: 200, body: [UInt8](repeating: 0x20, count: isLong ? length : 1)))
        }
        let read = try await Threads.run {
            let client = try RawClient(port: server.port)
            client.write(Array("GET /long HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
            // There is room for another connection once the first one is cut off.
            let isCut = try Waiting.block {
                try RawClient.exchange("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", port: server.port)
                    .hasPrefix("HTTP/1.1 200 ")
            }
            #expect(isCut)
            return try client.readToEnd().utf8.count
        }
        #expect(read < length)
    }

    @Test func `connections over the limit are refused, and room is made when one ends`() async throws {
        var limits = LoopbackLimits()
        limits.connections = 2
        let echo = try EchoServer(limits: limits)
        try await Threads.run {
            let request = Array("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8)
            let open = try (0..<2).map { _ in
                let client = try RawClient(port: echo.port)
                client.write(request)
                #expect(try client.read(until: "\n/\n").hasPrefix("HTTP/1.1 200 "))
                return client
            }
            let refused = try RawClient(port: echo.port).readToEnd()
            #expect(refused.hasPrefix("HTTP/1.1 503 "))
            open[0].socket.close()
            #expect(
                try Waiting.block {
                    let client = try RawClient(port: echo.port)
                    client.write(request)
                    return try client.read(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200 ")
                })
        }
    }
}
