import LoopbackHTTP
import MockService
import OfflineStore
import ServiceTransport
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineSync

/// The reading half of the guide's NoteSync: notes come from an endpoint that is no REST object.
@Suite struct NoteScenario {
    /// Pages of two notes from `/services/notes`, ordered by date.
    struct NoteTarget: DownTarget {
        let json: JSONObject
        var isOrderedByModification: Bool { true }
        var replacesAll: Bool { json["replacesAll"]?.bool ?? false }

        func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? {
            try await page(context, 0, bound)
        }

        func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? {
            guard let state = page.continuation as? [Int64] else { return nil }
            return try await self.page(context, state[0], state[1])
        }

        func remoteIds(_ context: DownContext, _ take: @Sendable ([RecordId]) throws -> Void) async throws {
            var page = try await page(context, 0, 0)
            while let current = page {
                try take(current.records.map(\.id))
                page = try await next(context, after: current)
            }
        }

        private func page(_ context: DownContext, _ offset: Int64, _ bound: Int64) async throws -> DownPage? {
            let request = ServiceRequest(
                method: "GET", path: "/services/notes",
                query: [Pair("offset", String(offset)), Pair("since", String(bound))])
            let answer = try JSONValue(parsing: try await context.succeed(request).body)
            let notes = (answer["notes"]?.array ?? []).compactMap(\.object)
            guard !notes.isEmpty else { return nil }
            var page = try DownPage(notes, for: self)
            page.total = answer["count"]?.int64.map { Int($0) }
            page.continuation = [offset + Int64(notes.count), bound]
            return page
        }
    }

    struct Broken: Error {}

    /// An endpoint with notes in memory.
    final class Notes: Sendable {
        let all = Mutex<[JSONObject]>([])

        init() {
            all.withLock { notes in
                notes = (1...5).map { number in
                    ["Id": .string("n\(number)"), "LastModifiedDate": .string("2020-09-01T1\(number):00:00Z")]
                }
            }
        }

        /// A value of a query, which a server gets encoded.
        private static func value(_ name: String, _ request: ServiceRequest) -> String {
            let encoded = (request.encodedQuery ?? "").split(separator: "&").map { part in
                part.split(separator: "=", maxSplits: 1).map(String.init)
            }
            return request.query.first { $0.name == name }?.value ?? encoded.first { $0.first == name }?.last ?? ""
        }

        func answer(_ request: ServiceRequest) -> ServiceResponse {
            let offset = Int(Self.value("offset", request)) ?? 0
            let since = Int64(Self.value("since", request)) ?? 0
            let notes = all.withLock { notes in
                notes.filter {
                    since <= 0 || ($0["LastModifiedDate"]?.string.flatMap(ServiceDate.milliseconds) ?? 0) > since
                }
            }
            let page = notes.dropFirst(offset).prefix(2).map(JSONValue.object)
            let body: JSONValue = ["notes": .array(Array(page)), "count": .number(JSONNumber(Int64(notes.count)))]
            return ServiceResponse(status: 200, body: body.bytes())
        }
    }

    private let setup: SyncSetup
    private let notes = Notes()

    init() throws {
        setup = try SyncSetup()
        try setup.register("notes")
    }

    private func manager(_ transport: (any Transport)? = nil) throws -> SyncManager {
        let notes = notes
        return try setup.manager(transport ?? FunctionTransport { notes.answer($0) }) { options in
            options.targets.addDown("NoteTarget") { json in NoteTarget(json: json) }
        }
    }

    private var ids: [[String]] {
        get throws { try setup.rows("SELECT {notes:Id} FROM {notes} ORDER BY 1") }
    }

    @Test func `notes come in pages, are found again after reopening, and ghosts go, in process`() async throws {
        try await play(nil)
    }

    @Test func `notes come in pages, are found again after reopening, and ghosts go, over HTTP`() async throws {
        let notes = notes
        let server = try LoopbackServer { LoopbackAnswer(notes.answer($0)) }
        try await play(LoopbackTransport(port: server.port))
        server.stop()
    }

    private func play(_ transport: (any Transport)?) async throws {
        // The sync is stored under its name and brings five notes in three pages.
        let first = try manager(transport)
        let updates = Mutex<[String]>([])
        try await first.sync(
            .down, target: ["type": "custom", "androidImpl": "com.acme.NoteTarget"], soup: "notes", name: "notes"
        ) { state in
            updates.withLock { $0.append("\(state.status.rawValue) \(state.progress)/\(state.totalSize)") }
        }.requireDone()
        #expect(
            updates.withLock { $0 } == ["RUNNING 0/-1", "RUNNING 0/5", "RUNNING 40/5", "RUNNING 80/5", "DONE 100/5"])
        #expect(try ids.count == 5)
        await first.close()
        // A new process finds the sync under its name.
        let second = try manager(transport)
        // One is gone on the server: so is its row.
        notes.all.withLock { _ = $0.remove(at: 1) }
        #expect(try await second.cleanResyncGhosts("notes") == 1)
        #expect(try ids == [["n1"], ["n3"], ["n4"], ["n5"]])
    }

    @Test func `an endpoint that throws fails the run with the name of its error`() async throws {
        let manager = try setup.manager { options in
            options.targets.addDown("NoteTarget") { _ in FailingTarget() }
        }
        let state = try await manager.sync(.down, target: ["type": "custom", "swiftImpl": "NoteTarget"], soup: "notes")
        #expect(state.errorCode == .customTarget && state.error == "customTarget: Broken")
        #expect(await faultCode { try await manager.cleanResyncGhosts(1) } == nil)
    }

    struct FailingTarget: DownTarget {
        var json: JSONObject { [:] }
        func start(_ context: DownContext, since bound: Int64) async throws -> DownPage? { throw Broken() }
        func next(_ context: DownContext, after page: DownPage) async throws -> DownPage? { nil }
    }

    @Test func `a whole set is replaced at once, and what was edited stays`() async throws {
        let manager = try manager()
        let target: JSONObject = ["type": "custom", "swiftImpl": "NoteTarget", "replacesAll": true]
        try await manager.sync(.down, target: target, soup: "notes", name: "notes").requireDone()
        _ = try await LocalEdits(setup.store, soup: "notes").update(3, changes: ["Title": "mine"])
        notes.all.withLock { $0 = [$0[0], $0[1]] }
        try await manager.reSync("notes").requireDone()
        #expect(try ids == [["n1"], ["n2"], ["n3"]])
    }

    @Test func `a set that breaks off leaves the soup as it was`() async throws {
        let target: JSONObject = ["type": "custom", "swiftImpl": "NoteTarget", "replacesAll": true]
        let notes = notes
        let requests = Atomic(0)
        let manager = try manager(
            FunctionTransport { request in
                if requests.add(1, ordering: .relaxed).newValue == 6 {
                    throw TransportFailure.noAnswer("cut")
                }
                return notes.answer(request)
            })
        try await manager.sync(.down, target: target, soup: "notes", name: "notes").requireDone()
        notes.all.withLock { $0 = Array($0.dropFirst(2)) }
        #expect(try await manager.reSync("notes").errorCode == .noAnswer)
        #expect(try ids.count == 5)
    }
}
