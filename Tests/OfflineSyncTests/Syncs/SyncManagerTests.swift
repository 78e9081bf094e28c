import Foundation
import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import ServiceTransport
import Soups
import Synchronization
import TestSupport
import Testing

/// What the vectors cannot show of a sync manager: several calls at once, cancelling, events, memory.
@Suite struct SyncManagerTests {
    private static let query: JSONObject = ["type": "soql", "query": "select Name from Account"]

    private func fill(_ setup: SyncSetup, _ count: Int) throws {
        for number in 1...count {
            try setup.mock.create("Account", ["Name": .string("marker \(number)")])
        }
        setup.mock.clock.now += 60_000
    }

    @Test func `a store has one manager until that is closed`() async throws {
        let setup = try SyncSetup()
        let manager = try setup.manager()
        #expect(throws: Fault.self) { try setup.manager() }
        #expect(await faultCode { _ = try setup.manager() } == .syncManagerExists)
        await manager.close()
        #expect(await faultCode { try await manager.reSync(1) } == .closed)
        let next = try setup.manager()
        #expect(next.state == .acceptingSyncs)
    }

    @Test func `a manager that is released gives its store free`() throws {
        let setup = try SyncSetup()
        do {
            _ = try setup.manager()
        }
        _ = try setup.manager()
    }

    @Test func `a link to the file is the same store`() throws {
        let setup = try SyncSetup()
        let manager = try setup.manager()
        try FileManager.default.createSymbolicLink(
            atPath: setup.folder.file("other.db"), withDestinationPath: setup.store.path)
        let other = try? SmartStore(
            path: setup.folder.file("other.db"), options: StoreOptions(library: try BackEnd.plain.library()))
        if let other {
            #expect(throws: Fault.self) { try SyncManager(store: other, transport: setup.mock.transport) }
        }
        withExtendedLifetime(manager) {}
    }

    @Test func `a user's stores have a manager each, and none is left after logging out`() async throws {
        let folder = try TemporaryFolder()
        let directory = try StoreDirectory(root: folder.path, user: "ada") { _ in
            StoreOptions(library: try BackEnd.plain.library())
        }
        let managers = SyncManagers(directory, transport: MockService().transport)
        let first = try managers.manager()
        #expect(try managers.manager() === first)
        #expect(try managers.manager(.init("other")) !== first)
        try await managers.logOut()
        #expect(try await !directory.exists(.init()))
        #expect(await faultCode { try await first.reSync(1) } == .closed)
    }

    @Test func `runs wait for each other in the order in which they were asked for`() async throws {
        let setup = try SyncSetup()
        try setup.register("accounts")
        try fill(setup, 3)
        let requests = OpenRequests()
        let transport = setup.mock.transport
        let manager = try setup.manager(
            FunctionTransport { request in
                requests.begin()
                defer { requests.end() }
                try await Task.sleep(for: .milliseconds(20))
                return try await transport.send(request)
            })
        for name in ["a", "b", "c"] {
            try await manager.createSync(.down, target: Self.query, soup: "accounts", name: name)
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for name in ["a", "b", "c"] {
                group.addTask {
                    try await manager.reSync(.name(name)).requireDone()
                }
            }
            try await group.waitForAll()
        }
        #expect(requests.most == 1)
        #expect(setup.mock.log.count == 3)
    }

    @Test func `a run that is cancelled ends its request and is stopped`() async throws {
        let setup = try SyncSetup()
        try setup.register("accounts")
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let transport = FunctionTransport { _ in
            ask.yield()
            try await Task.sleep(for: .seconds(600))
            throw TransportFailure.noAnswer("the request was not cancelled")
        }
        let manager = try setup.manager(transport)
        try await manager.createSync(.down, target: Self.query, soup: "accounts", name: "down")
        async let run = manager.reSync("down")
        for await _ in asked {
            break
        }
        #expect(try await manager.status(of: "down")?.status == .running)
        #expect(await faultCode { try await manager.reSync("down") } == .syncRunning)
        #expect(await faultCode { try await manager.deleteSync("down") } == .syncRunning)
        manager.cancel(1)
        #expect(try await run.status == .stopped)
        #expect(try await manager.status(of: "down")?.status == .stopped)
        #expect(manager.state == .acceptingSyncs)
    }

    @Test func `cancelling the task of a run stops it, and its row says so`() async throws {
        let setup = try SyncSetup()
        try setup.register("accounts")
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let manager = try setup.manager(
            FunctionTransport { _ in
                ask.yield()
                try await Task.sleep(for: .seconds(600))
                throw TransportFailure.noAnswer("the request was not cancelled")
            })
        let task = Task { try await manager.sync(.down, target: Self.query, soup: "accounts", name: "down") }
        for await _ in asked {
            break
        }
        task.cancel()
        #expect(try await task.value.status == .stopped)
        #expect(try await manager.status(of: "down")?.status == .stopped)
    }

    @Test func `the last update comes when the sync can be run again`() async throws {
        let setup = try SyncSetup()
        try setup.register("accounts")
        try fill(setup, 1)
        let manager = try setup.manager()
        let isActive = Mutex<[SyncStatus]>([])
        try await manager.sync(.down, target: Self.query, soup: "accounts", name: "down") { state in
            isActive.withLock { $0.append(state.status) }
        }
        #expect(isActive.withLock { $0 } == [.running, .running, .done])
        try await manager.reSync("down").requireDone()
    }

    @Test func `events and faults hold nothing of a record or a query`() async throws {
        let setup = try SyncSetup()
        try setup.register("accounts")
        try fill(setup, 5)
        let manager = try setup.manager()
        let target: JSONObject = ["type": "soql", "query": "select Name from Account where Name like 'marker%'"]
        try await manager.sync(.down, target: target, soup: "accounts", name: "down").requireDone()
        setup.mock.add(FaultRule(.broken(.cutJSON), times: nil))
        let failed = try await manager.reSync("down")
        #expect(failed.errorCode == .malformedAnswer)
        #expect(throws: Fault.self) { try failed.requireDone() }
        for text in [setup.events.text, failed.error, failed.failure?.description ?? ""] {
            #expect(!text.contains("marker") && !text.contains("select"))
        }
        #expect(setup.events.text.contains("finished"))
    }

    @Test func `pages are asked for only after the page before is saved`() async throws {
        let setup = try SyncSetup()
        try setup.register("accounts")
        try fill(setup, 500)
        let saved = Mutex<[String]>([])
        let (mock, store) = (setup.mock.transport, setup.store)
        let manager = try setup.manager(
            FunctionTransport { request in
                let count = try await store.count(.all(), soup: "accounts")
                saved.withLock { $0.append(String(count)) }
                return try await mock.send(request)
            })
        var target = Self.query
        target["maxBatchSize"] = 200
        try await manager.sync(.down, target: target, soup: "accounts").requireDone()
        #expect(saved.withLock { $0 } == ["0", "200", "400"])
    }

    @Test func `a change on the service during a run comes with the next one`() async throws {
        let setup = try SyncSetup()
        try setup.register("accounts", [.string("Name")])
        try fill(setup, 400)
        let mock = setup.mock
        let first = mock.records(of: "Account")[0]["Id"]?.string ?? ""
        let last = mock.records(of: "Account")[399]["Id"]?.string ?? ""
        // While the first page is being saved, the first record changes and, later, one of the second page.
        mock.add(FaultRule(.change(type: "Account", id: first, fields: ["Name": "late"], after: true), call: .query))
        mock.add(FaultRule(.clock(by: 5_000), call: .queryMore))
        mock.add(
            FaultRule(.change(type: "Account", id: last, fields: ["Name": "later"], after: false), call: .queryMore))
        let manager = try setup.manager()
        var target = Self.query
        target["maxBatchSize"] = 200
        try await manager.sync(.down, target: target, soup: "accounts", name: "down").requireDone()
        try await manager.reSync("down").requireDone()
        let names = try setup.rows(
            "SELECT {accounts:Name} FROM {accounts} WHERE {accounts:Name} LIKE 'late%' ORDER BY 1")
        #expect(names == [["late"], ["later"]])
    }

    @Test func `a row that cannot be written at the end is stopped when the store is next taken`() async throws {
        let setup = try SyncSetup()
        try setup.register("accounts")
        let store = setup.store
        let manager = try setup.manager(
            FunctionTransport { _ in
                try await store.close()
                throw TransportFailure.noAnswer("the store is gone")
            })
        try await manager.createSync(.down, target: Self.query, soup: "accounts", name: "down")
        #expect(try await manager.reSync("down").status == .failed)
        await manager.close()
        try await store.reopen()
        #expect(try await setup.manager().status(of: "down")?.status == .stopped)
    }

    @Test func `a run that meets a suspended store fails, and one after resume brings everything`() async throws {
        let setup = try SyncSetup()
        try setup.register("accounts")
        for number in 1...3 {
            try setup.mock.create("Account", ["Name": .string("n\(number)")])
        }
        let (store, mock) = (setup.store, setup.mock.transport)
        let manager = try setup.manager(
            FunctionTransport { request in
                let answer = try await mock.send(request)
                if !store.isSuspended, try await store.count(.all(), soup: "accounts") == 0 {
                    try await store.suspend()
                }
                return answer
            })
        try await manager.createSync(.down, target: Self.query, soup: "accounts", name: "down")
        let failed = try await manager.reSync("down")
        #expect(failed.status == .failed && failed.errorCode == .suspended)
        #expect(await faultCode { try await manager.reSync("down") } == .suspended)
        try await store.resume()
        #expect(try await manager.status(of: "down")?.status == .failed)
        try await store.upsert([Array(#"{"Id":"x"}"#.utf8)], into: "accounts")
        let done = try await manager.reSync("down")
        #expect(done.status == .done)
        #expect(try await store.count(.all(), soup: "accounts") == 4)
    }

    @Test func `a read-only store is left as it is, and can be asked`() async throws {
        let setup = try SyncSetup()
        let manager = try setup.manager()
        try await manager.createSync(.down, target: Self.query, soup: "accounts", name: "down")
        await manager.close()
        try await setup.store.reopen { $0.access = .readOnly }
        let reader = try setup.manager()
        #expect(try await reader.hasSync(named: "down"))
        #expect(await faultCode { try await reader.createSync(.down, target: Self.query, soup: "s") } == .readOnly)
    }
}

/// Counts the requests that were under way at the same time.
private final class OpenRequests: Sendable {
    private let counts = Mutex((now: 0, most: 0))

    var most: Int { counts.withLock { $0.most } }

    func begin() {
        counts.withLock { counts in
            counts.now += 1
            counts.most = max(counts.most, counts.now)
        }
    }

    func end() { counts.withLock { $0.now -= 1 } }
}
