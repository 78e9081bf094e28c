import JSONText
import LoopbackHTTP
import OfflineStore
import ServiceTransport
import Soups
import Synchronization
import TestSupport
import Testing

@testable import OfflineSync

/// The writing half of the guide's NoteSync: notes go to an endpoint that is no REST object.
@Suite struct NoteWritingScenario {
    /// Creates, updates and deletes notes at `/services/notes`, one by one.
    struct NoteUpTarget: RecordUpTarget {
        let failsHard: Bool

        func create(_ record: PendingRecord, fields: JSONObject, _ context: UpContext) async throws -> RecordOutcome {
            let response = try await send("POST", "", fields, context)
            guard let id = (try? JSONValue(parsing: response.body))?["id"]?.string else {
                return .refused(["errorCode": "NOTE", "message": "the note was not taken"])
            }
            return .created(id: id)
        }

        func update(_ record: PendingRecord, fields: JSONObject, _ context: UpContext) async throws -> RecordOutcome {
            outcome(try await send("PATCH", "/" + (record.id ?? ""), fields, context))
        }

        func delete(_ record: PendingRecord, _ context: UpContext) async throws -> RecordOutcome {
            outcome(try await send("DELETE", "/" + (record.id ?? ""), nil, context))
        }

        private func send(
            _ method: String, _ path: String, _ fields: JSONObject?, _ context: UpContext
        ) async throws -> ServiceResponse {
            if failsHard {
                throw Broken()
            }
            return try await context.send(
                ServiceRequest(
                    method: method, path: "/services/notes" + path, body: fields.map { JSONValue.object($0).bytes() }))
        }

        private func outcome(_ response: ServiceResponse) -> RecordOutcome {
            switch response.status {
            case 204: .done
            case 404: .gone
            case 412: .left
            default: .refused(["errorCode": "NOTE", "message": "the note was not taken"])
            }
        }
    }

    struct Broken: Error {}

    /// An endpoint with notes in memory. It refuses notes without a title.
    final class Endpoint: Sendable {
        struct State {
            var notes: [String: JSONObject] = [:]
            var requests: [String] = []
        }
        let state = Mutex(State())

        init() { state.withLock { $0.notes = ["n1": ["Title": "a"], "n2": ["Title": "b"], "n3": ["Title": "c"]] } }

        func answer(_ request: ServiceRequest) -> ServiceResponse {
            let id = String(request.path.dropFirst("/services/notes/".utf8.count))
            let fields = request.body.flatMap { try? JSONValue(parsing: $0) }?.object ?? JSONObject()
            return state.withLock { state in
                state.requests.append("\(request.method) \(request.path)")
                guard request.method == "DELETE" || fields["Title"]?.string?.isEmpty == false else {
                    return ServiceResponse(status: 400, body: [])
                }
                switch request.method {
                case "POST":
                    state.notes["n9"] = fields
                    return ServiceResponse(status: 201, body: Array(#"{"id": "n9"}"#.utf8))
                case "DELETE":
                    return ServiceResponse(status: state.notes.removeValue(forKey: id) == nil ? 404 : 204, body: [])
                default:
                    guard state.notes[id] != nil else { return ServiceResponse(status: 404, body: []) }
                    state.notes[id] = fields
                    return ServiceResponse(status: 204, body: [])
                }
            }
        }
    }

    private let setup: SyncSetup
    private let endpoint = Endpoint()

    init() throws {
        setup = try SyncSetup()
        try setup.register("notes")
        for (id, title) in [("n1", "a"), ("n2", "b"), ("n3", "c")] {
            try setup.store.upsert(
                [["Id": .string(id), "Title": .string(title), "__local__": false] as JSONValue], into: "notes")
        }
    }

    private func manager(_ transport: any Transport, failsHard: Bool = false) throws -> SyncManager {
        try setup.manager(transport) { options in
            options.targets.addUp("NoteUpTarget") { _ in NoteUpTarget(failsHard: failsHard) }
        }
    }

    private static let target: JSONObject = ["type": "custom", "androidImpl": "com.acme.NoteUpTarget"]

    /// Edits, creates and deletes a note offline.
    private func edit() throws {
        let edits = LocalEdits(setup.store, soup: "notes")
        _ = try edits.update(1, changes: ["Title": "edited"])
        _ = try edits.create(["Title": "new"])
        try edits.delete(2)
    }

    @Test(arguments: [false, true])
    func `an edit, a creation and a deletion are three calls of the endpoint`(overLoopback: Bool) async throws {
        let endpoint = endpoint
        let server = overLoopback ? try LoopbackServer { LoopbackAnswer(endpoint.answer($0)) } : nil
        let transport: any Transport =
            server.map { LoopbackTransport(port: $0.port) } ?? FunctionTransport { endpoint.answer($0) }
        let manager = try manager(transport)
        try edit()
        let state = try await manager.sync(.up, target: Self.target, soup: "notes", name: "up")
        try state.requireDone()
        #expect(state.summary.pushed == 3 && state.summary.created == 1 && state.summary.removed == 1)
        #expect(
            endpoint.state.withLock { $0.requests } == [
                "PATCH /services/notes/n1", "DELETE /services/notes/n2", "POST /services/notes",
            ])
        #expect(endpoint.state.withLock { $0.notes["n1"]?["Title"] } == "edited")
        #expect(
            try setup.rows("SELECT {notes:Id}, {notes:__local__} FROM {notes} ORDER BY 1")
                == [["n1", "false"], ["n3", "false"], ["n9", "false"]])
        await manager.close()
        // A new process finds the sync under its name, and nothing to send.
        let again = try self.manager(transport)
        #expect(try await again.reSync("up").totalSize == 0)
        server?.stop()
    }

    @Test func `a note that is refused stays with its error, and the run is done`() async throws {
        let endpoint = endpoint
        let manager = try manager(FunctionTransport { endpoint.answer($0) })
        let edits = LocalEdits(setup.store, soup: "notes")
        _ = try await edits.update(1, changes: ["Title": ""])
        _ = try await edits.update(2, changes: ["Title": "good"])
        let state = try await manager.sync(.up, target: Self.target, soup: "notes")
        #expect(state.status == .done && state.summary.refused == 1 && state.summary.pushed == 1)
        let row = try #require(try await setup.store.retrieve(id: 1, from: "notes"))
        #expect(String(decoding: row, as: UTF8.self).contains("the note was not taken"))
    }

    @Test func `an endpoint that throws fails the run, and what was sent before stays`() async throws {
        let endpoint = endpoint
        let manager = try manager(FunctionTransport { endpoint.answer($0) }, failsHard: true)
        try edit()
        let state = try await manager.sync(.up, target: Self.target, soup: "notes")
        #expect(state.status == .failed && state.errorCode == .customTarget && state.error == "customTarget: Broken")
        #expect(try await LocalEdits(setup.store, soup: "notes").pending().totalEntries == 3)
    }

    /// Sends batches of two, and says nothing about the last record.
    struct BatchTarget: BatchUpTarget {
        let answersAll: Bool
        var maxBatchSize: Int { 2 }
        var hasIdempotentCreates: Bool { true }

        func push(
            _ records: [PendingRecord], mode: SyncMergeMode, _ context: UpContext
        ) async throws -> [RecordOutcome] {
            let outcomes = records.map { record -> RecordOutcome in
                record.operation == .create ? .created(id: "n\(record.entryId)") : mode == .overwrite ? .done : .left
            }
            return answersAll ? outcomes : outcomes.dropLast()
        }
    }

    @Test(arguments: [SyncMergeMode.overwrite, .leaveIfChanged])
    func `a target that sends batches decides what it leaves`(_ mode: SyncMergeMode) async throws {
        let manager = try setup.manager(FunctionTransport { _ in throw TransportFailure.notSent("no network") }) {
            $0.targets.addUp("Batches") { _ in BatchTarget(answersAll: true) }
        }
        try edit()
        let state = try await manager.sync(
            .up, target: ["type": "custom", "swiftImpl": "Batches"], soup: "notes",
            options: SyncOptions(mergeMode: mode))
        #expect(state.status == .done)
        #expect(state.summary.pushed == (mode == .overwrite ? 3 : 1))
        #expect(state.summary.left == (mode == .overwrite ? 0 : 2))
    }

    @Test func `another number of outcomes than records ends the run`() async throws {
        let manager = try setup.manager { $0.targets.addUp("Batches") { _ in BatchTarget(answersAll: false) } }
        try edit()
        let state = try await manager.sync(.up, target: ["type": "custom", "swiftImpl": "Batches"], soup: "notes")
        #expect(state.errorCode == .malformedAnswer)
        #expect(try await LocalEdits(setup.store, soup: "notes").pending().totalEntries == 3)
    }
}
