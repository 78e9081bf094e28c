import JSONText
import MockService
import OfflineStore
import ServiceTransport
import Soups
import TestSupport
import Testing

@testable import OfflineSync

/// Syncs up against the mock service: how many requests, what a lost answer costs, what an event says.
@Suite struct PushTests {
    private let setup: SyncSetup
    private let mock: MockService
    private var edits: LocalEdits { LocalEdits(setup.store, soup: "accounts") }

    init() throws {
        setup = try SyncSetup()
        mock = setup.mock
        try setup.register("accounts", [.string("Name")])
    }

    private func create(_ count: Int, hasKeys: Bool = false) throws {
        let (store, edits) = (setup.store, edits)
        try store.transaction { _ in
            for number in 0..<count {
                var record: JSONObject = ["Name": .string("new \(number)"), "attributes": ["type": "Account"]]
                if hasKeys {
                    record["ExternalId__c"] = .string("key \(number)")
                }
                _ = try edits.create(record)
            }
        }
    }

    private func target(_ kind: String, _ more: [(String, JSONValue)] = []) -> JSONObject {
        JSONObject(
            [
                ("swiftImpl", .string(kind)), ("createFieldlist", ["Name", "ExternalId__c"]),
                ("updateFieldlist", ["Name"]),
            ] + more)
    }

    @Test(arguments: [("single", 500), ("composite", 20), ("collection", 3)])
    func `500 creations take as many requests as they must`(_ kind: String, _ requests: Int) async throws {
        let manager = try setup.manager()
        try create(500)
        let state = try await manager.sync(.up, target: target(kind), soup: "accounts").requireDone()
        #expect(state.summary.requests == requests && state.summary.created == 500)
        #expect(mock.records(of: "Account").count == 500)
        #expect(try await edits.pending().totalEntries == 0)
    }

    @Test func `a note of what is in doubt takes one more transaction for each batch`() async throws {
        var commits: [Int] = []
        for isNoted in [false, true] {
            let world = try PushTests()
            let manager = try world.setup.manager()
            try world.create(500, hasKeys: !isNoted)
            let before = try WALCommits.count(ofStore: world.setup.folder.file("store.db"))
            let key: [(String, JSONValue)] = isNoted ? [] : [("externalIdFieldName", "ExternalId__c")]
            let target = world.target("collection", key)
            let state = try await manager.sync(.up, target: target, soup: "accounts").requireDone()
            #expect(state.summary.created == 500 && state.summary.requests == 3)
            commits.append(try WALCommits.count(ofStore: world.setup.folder.file("store.db")) - before)
        }
        #expect(commits[0] > 3 && commits[1] == commits[0] + 3, "\(commits)")
    }

    @Test(arguments: ["single", "composite", "collection"])
    func `a lost answer doubles no record with a key, none that is held, and one that is sent again`(
        _ kind: String
    ) async throws {
        for (level, copies) in [("A", 1), ("C", 1), ("D", 2)] {
            let world = try PushTests()
            let manager = try world.setup.manager()
            let more: [(String, JSONValue)] =
                switch level {
                case "A": [("externalIdFieldName", "ExternalId__c"), ("generatesExternalId", true)]
                case "D": [("doubt", "resend")]
                default: []
                }
            try world.create(1)
            world.mock.add(FaultRule(.dropAfter, nth: 1))
            let target = world.target(kind, more)
            let failed = try await manager.sync(.up, target: target, soup: "accounts", name: "up")
            #expect(failed.errorCode == .noAnswer)
            let doubts = try await manager.pendingDoubts(inSoup: "accounts")
            #expect(doubts.count == (level == "C" ? 1 : 0))
            let second = try await manager.reSync("up").requireDone()
            #expect(second.summary.held == (level == "C" ? 1 : 0))
            if level == "C" {
                let id = try #require(world.mock.records(of: "Account").first?["Id"]?.string)
                let row = try await manager.resolveDoubt(
                    .wasCreated(id: id), soup: "accounts", entryId: doubts[0].entryId)
                #expect(row.map { LocalFlags(of: $0).isDirty } == false)
            }
            #expect(world.mock.records(of: "Account").count == copies, "\(kind) at level \(level)")
            #expect(try await world.edits.pending().totalEntries == 0)
        }
    }

    @Test func `no event and no fault holds a value of a record`() async throws {
        let manager = try setup.manager()
        try create(3)
        mock.add(FaultRule(.refuse(RecordRefusal(positions: [1], message: "new 1 is not welcome")), nth: 1))
        mock.add(FaultRule(.dropAfter, nth: 2))
        let target = target("composite", [("maxBatchSize", 2)])
        let state = try await manager.sync(.up, target: target, soup: "accounts")
        #expect(state.status == .failed)
        let text = setup.events.text + "\(String(describing: state.failure))"
        #expect(!text.contains("new 0") && !text.contains("new 1") && !text.contains("welcome"))
        #expect(text.contains("recordRefused") && text.contains("batch("))
    }

    @Test func `the row of a sync is written with each answer, and not with each record`() async throws {
        let manager = try setup.manager()
        try create(500)
        let state = try await manager.sync(.up, target: target("collection"), soup: "accounts").requireDone()
        let row = try #require(try await setup.store.retrieve(id: state.id, from: "syncs_soup"))
        #expect(try JSONValue(parsing: row)["progress"] == 100)
        // Registering, three batches of a note and an outcome each, and the end.
        let batches = setup.events.all.filter { "\($0)".hasPrefix("batch(") }.count
        #expect(batches == 3)
    }

    @Test func `the questions of a run are answered by indexes`() async throws {
        let manager = try setup.manager()
        try create(20)
        try await manager.sync(.up, target: target("collection"), soup: "accounts").requireDone()
        let plans = try setup.store.statementPlans()
        let scans = plans.filter { $0.contains("SCAN TABLE_") && !$0.contains("INDEX") }
        #expect(scans.isEmpty, "\(scans)")
    }

    @Test func `clean rows cost a sync up nothing`() async throws {
        var steps: [Int] = []
        for count in [1_000, 10_000] {
            let world = try PushTests()
            let store = world.setup.store
            try await store.transaction { _ in
                for number in 0..<count {
                    let isChanged = number % (count / 200) == 0
                    try store.upsert(
                        [
                            [
                                "Id": .string("001\(number)"), "Name": "n", "attributes": ["type": "Account"],
                                "__local__": .bool(isChanged), "__locally_updated__": .bool(isChanged),
                            ] as JSONValue
                        ], into: "accounts")
                }
            }
            let transport = FunctionTransport { _ in
                let answer = Array(repeating: #"{"id":"1","success":true,"errors":[]}"#, count: 200)
                return ServiceResponse(status: 200, body: Array(("[" + answer.joined(separator: ",") + "]").utf8))
            }
            let manager = try world.setup.manager(transport)
            let before = store.counters().machineSteps
            let state = try await manager.sync(.up, target: world.target("collection"), soup: "accounts").requireDone()
            #expect(state.summary.pushed == 200)
            steps.append(Int(store.counters().machineSteps - before))
        }
        #expect(Double(steps[1]) / Double(steps[0]) < 1.05, "\(steps) steps")
    }

    @Test func `a creation that is cancelled is in doubt, and the run is stopped`() async throws {
        let started = Signal()
        let manager = try setup.manager(
            FunctionTransport { _ in
                started.raise()
                try await Task.sleep(for: .seconds(3_600))
                throw TransportFailure.noAnswer("nobody waits that long")
            })
        try create(1)
        let sync = try await manager.createSync(.up, target: target("collection"), soup: "accounts")
        async let run = manager.reSync(.id(sync.id))
        try await started.wait()
        manager.cancel(sync.id)
        #expect(try await run.status == .stopped)
        #expect(try await manager.pendingDoubts(inSoup: "accounts").count == 1)
        #expect(try await manager.status(of: .id(sync.id))?.status == .stopped)
    }

    @Test func `a run that is stopped between the note and the call leaves no doubt`() async throws {
        let manager = try setup.manager()
        try create(2)
        let sync = try await manager.createSync(
            .up, target: target("collection", [("maxBatchSize", 1)]), soup: "accounts")
        let requests = mock.log.count
        let state = try await manager.reSync(.id(sync.id)) { state in
            if state.progress == 50 {
                manager.stop()
            }
        }
        #expect(state.status == .stopped && mock.log.count == requests + 1)
        #expect(try await manager.pendingDoubts(inSoup: "accounts").isEmpty)
    }
}
