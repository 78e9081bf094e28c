import OfflineStore
import OfflineSync
import ServiceTransport
import Soups
import Synchronization
import Testing

/// Targets of an app that do what the engine's own never do.
@Suite struct CustomTargetTests {
    private static let custom: JSONObject = ["type": "custom", "swiftImpl": "Own"]

    private let setup: SyncSetup

    init() throws {
        setup = try SyncSetup()
        try setup.register("notes")
    }

    private func manager(
        _ target: any DownTarget, _ transport: (any Transport)? = nil, recordLimit: Int = 10_000_000
    ) throws -> SyncManager {
        try setup.manager(transport) { options in
            options.recordLimit = recordLimit
            options.targets.addDown("Own") { _ in target }
        }
    }

    /// Gives each request the same answer, and counts those that are under way.
    private final class CountingTransport: Transport {
        private let counts = Mutex((now: 0, most: 0, all: 0))
        var most: Int { counts.withLock { $0.most } }
        var all: Int { counts.withLock { $0.all } }

        func send(_ request: ServiceRequest) async throws -> ServiceResponse {
            counts.withLock { counts in
                counts.now += 1
                counts.all += 1
                counts.most = max(counts.most, counts.now)
            }
            for _ in 0..<20 {
                await Task.yield()
            }
            counts.withLock { $0.now -= 1 }
            return ServiceResponse(status: 200, body: Array("[]".utf8))
        }
    }

    /// Asks for three things at once.
    private struct Impatient: DownTarget {
        var json: JSONObject { [:] }

        func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? {
            try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 0..<3 {
                    group.addTask {
                        let request = ServiceRequest(method: "GET", path: "/part/\(number)")
                        return try await context.send(request).status
                    }
                }
                for try await status in group where status != 200 {
                    return nil
                }
                let records: [JSONObject] = (1...3).map { ["Id": .string("n\($0)")] }
                var page = try DownPage(records, for: self)
                page.isLast = true
                return page
            }
        }

        func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? { nil }
    }

    @Test(.timeLimit(.minutes(5)))
    func `requests that are asked for at once are sent one after the other`() async throws {
        let transport = CountingTransport()
        let manager = try manager(Impatient(), transport)
        try await manager.sync(.down, target: Self.custom, soup: "notes", name: "down").requireDone()
        #expect(transport.all == 3 && transport.most == 1)
        #expect(try setup.rows("SELECT count(*) FROM {notes}") == [["3"]])
    }

    @Test(.timeLimit(.minutes(5)))
    func `a run that is cancelled while several requests are asked for is stopped`() async throws {
        let (asked, ask) = AsyncStream.makeStream(of: Void.self)
        let manager = try manager(
            Impatient(),
            FunctionTransport { _ in
                ask.yield()
                try await Task.sleep(for: .seconds(600))
                throw TransportFailure.noAnswer("the request was not cancelled")
            })
        try await manager.createSync(.down, target: Self.custom, soup: "notes", name: "down")
        async let run = manager.reSync("down")
        for await _ in asked {
            break
        }
        manager.cancel(1)
        #expect(try await run.status == .stopped)
    }

    /// Answers one page, and breaks off when it is asked for ids.
    private struct Broken: DownTarget {
        struct Refusal: Error { let secret = "marker" }
        var json: JSONObject { [:] }

        func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? {
            var page = try DownPage([["Id": "n1"]], for: self)
            page.isLast = true
            return page
        }

        func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? { nil }
        func remoteIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws {
            throw Refusal()
        }
    }

    @Test func `an error of a target that lists ids is a fault with the name of its type`() async throws {
        let manager = try manager(Broken())
        try await manager.sync(.down, target: Self.custom, soup: "notes", name: "down").requireDone()
        do {
            try await manager.cleanResyncGhosts("down")
            Issue.record("the ids were listed")
        } catch let fault as Fault {
            #expect(fault.code == .customTarget && fault.message == "Refusal")
        }
        #expect(try setup.rows("SELECT count(*) FROM {notes}") == [["1"]])
    }

    /// Pages without records for ever, or the same id for ever.
    private struct Endless: DownTarget {
        var json: JSONObject { [:] }
        func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? {
            try DownPage([["Id": "n1"]], for: self)
        }
        func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? {
            try DownPage([JSONObject](), for: self)
        }
        func remoteIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws {
            while true {
                try take([])
            }
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `pages without records for ever end at the limit of records, and so does a list of ids`() async throws {
        let manager = try manager(Endless(), recordLimit: 50)
        let state = try await manager.sync(.down, target: Self.custom, soup: "notes", name: "down")
        #expect(state.errorCode == .limitExceeded)
        #expect(await faultCode { try await manager.cleanResyncGhosts("down") } == .limitExceeded)
        #expect(try setup.rows("SELECT count(*) FROM {notes}") == [["1"]])
    }

    /// The whole set, each time.
    private struct Whole: DownTarget {
        var json: JSONObject { [:] }
        var replacesAll: Bool { true }
        func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? {
            var page = try DownPage([["Id": "n1", "Title": "server"], ["Id": "n2", "Title": "server"]], for: self)
            page.isLast = true
            return page
        }
        func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? { nil }
    }

    @Test(arguments: [(SyncMergeMode.overwrite, "server"), (.leaveIfChanged, "mine")])
    func `a whole set replaces a dirty row that it has as the merge mode says`(
        mode: SyncMergeMode, title: String
    ) async throws {
        let manager = try manager(Whole())
        let options = SyncOptions(mergeMode: mode)
        try await manager.sync(.down, target: Self.custom, soup: "notes", options: options, name: "down").requireDone()
        _ = try await LocalEdits(setup.store, soup: "notes").update(1, changes: ["Title": "mine"])
        _ = try await LocalEdits(setup.store, soup: "notes").create(["Title": "own"])
        try await manager.reSync("down").requireDone()
        let rows = try await setup.store.query(.all(pageSize: 10), soup: "notes").currentPage.entries.map {
            try JSONValue(parsing: Array($0))["Title"]?.string
        }
        #expect(rows == [title, "server", "own"])
    }
}
