import LoopbackHTTP
import Platform
import TestSupport
import Testing

@Suite struct LoopbackTransportTests {
    private let request = ServiceRequest(method: "POST", path: "/records", body: Array("{}".utf8))

    /// A port without a listener.
    private func freePort() async throws -> UInt16 {
        try await Threads.run {
            let server = try LoopbackServer { _ in .dropped }
            server.stop()
            return server.port
        }
    }

    private func failed(_ body: () async throws -> ServiceResponse) async -> TransportFailure? {
        do {
            _ = try await body()
            return nil
        } catch {
            return error as? TransportFailure
        }
    }

    // MARK: - What was not sent, and what got no answer

    @Test func `a refused connection was not sent`() async throws {
        let port = try await freePort()
        let failure = await failed { try await LoopbackTransport(port: port).send(request) }
        #expect(failure == .notSent("127.0.0.1 port \(port): Connection refused"))
    }

    @Test(arguments: [false, true])
    func `a request that was dropped got no answer, whether or not it was applied`(isApplied: Bool) async throws {
        let applied = Signal()
        let server = try LoopbackServer { _ in
            if isApplied {
                applied.raise()
            }
            return .dropped
        }
        let failure = await failed { try await LoopbackTransport(port: server.port).send(request) }
        // The client sees the same in both cases, and must not promise that the request did not arrive.
        #expect(failure == .noAnswer("the connection was closed before the whole answer had come"))
        #expect(applied.isRaised == isApplied)
    }

    @Test func `a body that is shorter than announced is no answer`() async throws {
        let server = try LoopbackServer { _ in
            LoopbackAnswer(ServiceResponse(status: 200, body: Array("complete".utf8)), ending: .cut(afterBytes: 7))
        }
        let failure = await failed { try await LoopbackTransport(port: server.port).send(request) }
        #expect(failure == .noAnswer("the connection was closed before the whole answer had come"))
    }

    @Test func `a server that is silent is given up when the time is over`() async throws {
        let server = try LoopbackServer { _ in .silent }
        let failure = await failed { try await LoopbackTransport(port: server.port, timeout: 50).send(request) }
        #expect(failure == .noAnswer("the whole answer had not come in time"))
    }

    @Test func `an answer that comes late in time is an answer`() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer(ServiceResponse(status: 201), delay: 30) }
        #expect(try await LoopbackTransport(port: server.port).send(request).status == 201)
    }

    @Test(arguments: [
        ServiceRequest(method: "GE T", path: "/"), ServiceRequest(method: "GET", path: "no-slash"),
        ServiceRequest(method: "GET", path: "/a b"), ServiceRequest(method: "GET", path: "/a\r\nX-B: 1"),
        ServiceRequest(method: "GET", path: "/", encodedQuery: "a#b"),
        ServiceRequest(method: "GET", path: "/", headers: [Pair("X-A", "1\r\nX-B: 2")]),
        ServiceRequest(method: "GET", path: "/", headers: [Pair("X A", "1")]),
    ])
    func `a request that would be read as another one is not sent`(_ request: ServiceRequest) async throws {
        let echo = try EchoServer()
        let failure = await failed { try await echo.transport.send(request) }
        #expect(failure == .notSent("the request cannot be written: check its method, target and headers"))
        #expect(echo.requests.isEmpty)
    }

    // MARK: - Cancelling

    @Test func `a task that is cancelled while it waits ends at once`() async throws {
        let arrived = Signal()
        let server = try LoopbackServer { _ in
            arrived.raise()
            return .silent
        }
        let request = request
        let task = Task { try await LoopbackTransport(port: server.port, timeout: Waiting.milliseconds).send(request) }
        try await arrived.wait()
        task.cancel()
        #expect(await failed { try await task.value } == .cancelled)
    }

    @Test func `a body without a length that a cancelled task cuts is no answer`() async throws {
        for _ in 0..<20 {
            let server = try OpenEnded()
            let request = request
            let port = server.port
            let task = Task { try await LoopbackTransport(port: port, timeout: Waiting.milliseconds).send(request) }
            try await server.hasWritten.wait(unless: { server.hasEnded })
            task.cancel()
            #expect(await failed { try await task.value } == .cancelled)
            try await server.end()
        }
    }

    @Test func `a task that is cancelled before says that nothing was sent`() async throws {
        let echo = try EchoServer()
        let request = request
        let transport = echo.transport
        let gate = Signal()
        let task = Task {
            try? await gate.wait()
            return try await transport.send(request)
        }
        task.cancel()
        gate.raise()
        let failure = await failed { try await task.value }
        #expect(failure == .notSent("the task was cancelled before anything was sent"))
        #expect(echo.requests.isEmpty)
    }
}
