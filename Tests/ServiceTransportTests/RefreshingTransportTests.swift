import ServiceTransport
import Testing

@Suite struct RefreshingTransportTests {
    private func request(_ number: Int) -> ServiceRequest { ServiceRequest(method: "POST", path: "/\(number)") }

    @Test func `accepted requests are sent once`() async throws {
        let base = ScriptedTransport(accepting: [0])
        let transport = RefreshingTransport(base) { await base.renew() }
        #expect(try await transport.send(request(1)).status == 200)
        #expect(await base.sent == ["/1"])
        #expect(await base.renewals == 0)
    }

    @Test func `a refused request is sent once more after a refresh`() async throws {
        let base = ScriptedTransport(accepting: [1])
        let transport = RefreshingTransport(base) { await base.renew() }
        #expect(try await transport.send(request(1)).status == 200)
        #expect(await base.sent == ["/1", "/1"])
        #expect(await base.renewals == 1)
    }

    @Test func `the second answer counts whatever it is`() async throws {
        let base = ScriptedTransport(accepting: [])
        let transport = RefreshingTransport(base) { await base.renew() }
        #expect(try await transport.send(request(1)).status == 401)
        #expect(await base.sent.count == 2)
        #expect(await base.renewals == 1)
    }

    @Test func `many refused requests share one refresh`() async throws {
        let count = 50
        let base = ScriptedTransport(accepting: [1], keepingUntil: count)
        let transport = RefreshingTransport(base) { await base.renew() }
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<count {
                group.addTask { try await transport.send(request(number)).status }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: count))
        #expect(await base.renewals == 1)
        #expect(await base.sent.count == 2 * count)
    }

    @Test func `a refresh that fails ends all requests that needed it`() async throws {
        let count = 50
        let base = ScriptedTransport(accepting: [], keepingUntil: count)
        let transport = RefreshingTransport(base) { try await base.fail() }
        let failures = await withTaskGroup(of: TransportFailure?.self) { group in
            for number in 0..<count {
                group.addTask {
                    do {
                        _ = try await transport.send(request(number))
                        return nil
                    } catch {
                        return TransportFailure(error)
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(failures == Array(repeating: .sessionEnded, count: count))
        #expect(await base.renewals == 1)
        #expect(await base.sent.count == count)
    }

    @Test func `a later request tries a refresh again`() async throws {
        let base = ScriptedTransport(accepting: [])
        let transport = RefreshingTransport(base) { try await base.fail() }
        for number in 1...2 {
            await #expect(throws: TransportFailure.sessionEnded) { try await transport.send(request(number)) }
            #expect(await base.renewals == number)
        }
    }

    @Test func `a request that meets a refresh is sent after it`() async throws {
        let base = ScriptedTransport(accepting: [1])
        let gate = Gate()
        let transport = RefreshingTransport(base) {
            await gate.arrive()
            await base.renew()
        }
        async let first = transport.send(request(1))
        await gate.waitForArrival()
        async let second = transport.send(request(2))
        // The second request cannot be seen waiting: give it the chance to be sent too early.
        for _ in 0..<100 {
            await Task.yield()
        }
        #expect(await base.sent == ["/1"])
        await gate.open()
        #expect(try await [first.status, second.status] == [200, 200])
        #expect(await base.sent.sorted() == ["/1", "/1", "/2"])
        #expect(await base.renewals == 1)
    }

    @Test func `a cancelled request does not wait for a refresh`() async throws {
        let base = ScriptedTransport(accepting: [1])
        let gate = Gate()
        let transport = RefreshingTransport(base) {
            await gate.arrive()
            await base.renew()
        }
        let first = Task { try await transport.send(request(1)) }
        await gate.waitForArrival()
        let second = Task { try await transport.send(request(2)) }
        first.cancel()
        await #expect(throws: TransportFailure.cancelled) { try await first.value }
        await gate.open()
        #expect(try await second.value.status == 200)
        #expect(await base.renewals == 1)
    }
}

/// Keeps a task until a test opens it, and shows the test that the task has come.
private actor Gate {
    private var hasArrived = false
    private var isOpen = false
    private var arrival: CheckedContinuation<Void, Never>?
    private var opening: CheckedContinuation<Void, Never>?

    func arrive() async {
        hasArrived = true
        arrival?.resume()
        arrival = nil
        if !isOpen {
            await withCheckedContinuation { opening = $0 }
        }
    }

    func waitForArrival() async {
        if !hasArrived {
            await withCheckedContinuation { arrival = $0 }
        }
    }

    func open() {
        isOpen = true
        opening?.resume()
        opening = nil
    }
}
