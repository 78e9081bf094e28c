import LoopbackHTTP
import Platform
import TestSupport
import Testing

@Suite struct LoopbackServerTests {
    @Test func `requests reach the function as they were sent, and its answer the client`() async throws {
        let echo = try EchoServer()
        var request = ServiceRequest(method: "PATCH", path: "/a%20b/c")
        request.query = [Pair("q", "A+B & ü")]
        request.headers = [Pair("X-Marker", "1,  2")]
        request.body = Array("{\"a\":1}".utf8)
        let response = try await echo.transport.send(request)
        #expect(response.status == 200)
        let text = String(decoding: response.body, as: UTF8.self)
        #expect(text == "PATCH\n/a%20b/c\nq=A%2BB%20%26%20%C3%BC\n{\"a\":1}\n")
        let seen = try #require(echo.requests.first)
        #expect(seen.headers.contains(Pair("X-Marker", "1,  2")))
        #expect(seen.body == request.body)
    }

    @Test(arguments: [0, 1, 65_535, 65_536, 1_000_000])
    func `bodies of every length arrive in both directions`(length: Int) async throws {
        let server = try LoopbackServer { request in
            LoopbackAnswer(ServiceResponse(status: 200, body: request.body?.reversed() ?? []))
        }
        let body = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let request = ServiceRequest(method: "POST", path: "/", body: body)
        let response = try await LoopbackTransport(port: server.port).send(request)
        #expect(response.body.elementsEqual(body.reversed()))
    }

    @Test func `one connection carries several requests, also if they come at once`() async throws {
        let echo = try EchoServer()
        let answer = try await Threads.run {
            try RawClient.exchange(
                """
                GET /1 HTTP/1.1\r\nHost: localhost\r\n\r\n\
                POST /2 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n\
                3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nX-Trailer: 1\r\n\r\n\
                GET http://127.0.0.1/3?x HTTP/1.1\r\nHost: 127.0.0.1:1\r\nConnection: close\r\n\r\n\
                GET /4 HTTP/1.1\r\nHost: localhost\r\n\r\n
                """, port: echo.port)
        }
        #expect(answer.ranges(of: "HTTP/1.1 200 OK").count == 3)
        #expect(echo.requests.map(\.path) == ["/1", "/2", "/3"], "nothing is answered after close")
        #expect(echo.requests.map { $0.body.map { String(decoding: $0, as: UTF8.self) } } == [nil, "abcde", nil])
        #expect(echo.requests.map(\.encodedQuery) == [nil, nil, "x"])
    }

    @Test func `a client that asks first is asked for its body`() async throws {
        let echo = try EchoServer()
        let answer = try await Threads.run {
            let client = try RawClient(port: echo.port)
            client.write(
                Array("POST /1 HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n".utf8))
            let first = try client.read(until: "\r\n\r\n")
            client.write(Array("ok".utf8))
            client.socket.endWriting()
            return first + (try client.readToEnd())
        }
        #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n"))
        #expect(answer.hasSuffix("\nok\n"))
    }

    @Test func `answers without a body have none, and HEAD gets the length alone`() async throws {
        let server = try LoopbackServer { request in
            LoopbackAnswer(ServiceResponse(status: request.path == "/none" ? 204 : 200, body: Array("text".utf8)))
        }
        let transport = LoopbackTransport(port: server.port)
        #expect(try await transport.send(ServiceRequest(method: "GET", path: "/none")).body.isEmpty)
        let head = try await transport.send(ServiceRequest(method: "HEAD", path: "/"))
        #expect(head.body.isEmpty && head.header("content-length") == "4")
    }

    @Test func `headers of an answer cannot add lines, and a status that does not exist becomes 500`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackAnswer(
                ServiceResponse(
                    status: 99, headers: [Pair("X-A", "1\r\nX-B: 2"), Pair("X C", "3"), Pair("Content-Length", "7")]))
        }
        let response = try await LoopbackTransport(port: server.port).send(ServiceRequest(method: "GET", path: "/"))
        #expect(response.status == 500)
        #expect(response.header("X-A") == "1  X-B: 2" && response.header("X-B") == nil)
        #expect(response.headers.filter { $0.name == "Content-Length" }.map(\.value) == ["0"])
    }

    @Test func `many clients are answered at the same time`() async throws {
        let echo = try EchoServer()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let response = try await echo.transport.send(ServiceRequest(method: "GET", path: "/\(number)"))
                    #expect(String(decoding: response.body, as: UTF8.self).hasPrefix("GET\n/\(number)\n"))
                }
            }
            try await group.waitForAll()
        }
        #expect(echo.requests.count == 40)
    }

    @Test func `a port that is taken is a fault that says so`() throws {
        let echo = try EchoServer()
        let fault = #expect(throws: Fault.self) { try LoopbackServer(port: echo.port) { _ in .dropped } }
        #expect(fault?.code == .inputOutput)
        #expect(fault?.message.contains("127.0.0.1 port \(echo.port)") == true)
    }

    @Test func `a server that stops cuts open connections and frees its port`() async throws {
        let arrived = Signal()
        let server = try LoopbackServer { _ in
            arrived.raise()
            return .silent
        }
        let port = server.port
        let transport = LoopbackTransport(port: port, timeout: Waiting.milliseconds)
        let waiting = Task { try await transport.send(ServiceRequest(method: "GET", path: "/")) }
        try await arrived.wait()
        try await Threads.run {
            server.stop()
            server.stop()
        }
        await #expect(throws: TransportFailure.noAnswer("the connection was closed before the whole answer had come")) {
            try await waiting.value
        }
        let next = try LoopbackServer(port: port) { _ in LoopbackAnswer(ServiceResponse(status: 200)) }
        #expect(
            try await LoopbackTransport(port: next.port).send(ServiceRequest(method: "GET", path: "/")).status == 200)
    }

    @Test func `a server that is released stops`() async throws {
        var echo: EchoServer? = try EchoServer()
        let port = try #require(echo).port
        echo = nil
        // The port is free again once the thread that listened has ended.
        try await Waiting.suspend { (try? LoopbackServer(port: port) { _ in .dropped }) != nil }
    }
}
