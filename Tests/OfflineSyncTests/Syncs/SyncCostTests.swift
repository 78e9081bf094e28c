import MockService
import OfflineStore
import OfflineSync
import ServiceTransport
import Soups
import Synchronization
import Testing

/// What a sync asks its store, counted: nothing of it may grow with what it need not look at.
@Suite struct SyncCostTests {
    private static let trees: JSONObject = [
        "type": "parent_children", "parent": ["sobjectType": "Account", "soupName": "parents"],
        "parentFieldlist": ["Name"],
        "children": [
            "sobjectType": "Contact", "sobjectTypePlural": "Contacts", "soupName": "children",
            "parentIdFieldName": "AccountId",
        ], "childrenFieldlist": ["LastName"], "relationshipType": "MASTER_DETAIL",
    ]

    /// An answer with trees of two children each.
    private static func answer(_ count: Int) -> [UInt8] {
        let date = #""LastModifiedDate":"2020-09-01T10:00:00Z""#
        let records = (0..<count).map { number in
            let children = [0, 1].map { #"{"Id":"C\#(number)-\#($0)",\#(date)}"# }.joined(separator: ",")
            return
                #"{"Id":"P\#(number)",\#(date),"Contacts":{"totalSize":2,"done":true,"records":[\#(children)]}}"#
        }
        return Array(
            #"{"totalSize":\#(count),"done":true,"records":[\#(records.joined(separator: ","))]}"#.utf8)
    }

    @Test func `originals and doubts are read once for a page, however many trees it has`() async throws {
        var counts: [Int] = []
        for count in [3, 60] {
            let events = Mutex(0)
            let setup = try SyncSetup { _ in events.withLock { $0 += 1 } }
            try setup.register("parents")
            try setup.register("children", [.string("AccountId")])
            // Both are there and not empty.
            let edits = LocalEdits(setup.store, soup: "children", keepsOriginals: true)
            _ = try await setup.store.upsert([Array(#"{"Id":"C0-0","AccountId":"P0"}"#.utf8)], into: "children")
            _ = try await edits.update(1, changes: ["LastName": "mine"])
            let outbox = Outbox(setup.store)
            try outbox.keep([
                OutboxRow(soupName: "children", entryId: 1, syncId: 9, objectType: "Contact", sent: [:], sentAt: 1)
            ])
            let answer = Self.answer(count)
            let manager = try setup.manager(FunctionTransport { _ in ServiceResponse(status: 200, body: answer) })
            events.withLock { $0 = 0 }
            try await manager.sync(.down, target: Self.trees, soup: "parents", name: "down").requireDone()
            counts.append(events.withLock { $0 })
            #expect(try outbox.doubts(inSoup: "children").isEmpty)
            #expect(try Originals(setup.store, soup: "children").original(of: 1) == nil)
        }
        #expect(counts[0] == counts[1] && counts[0] > 0, "\(counts)")
    }

    @Test func `the row of a sync is written once for each page`() async throws {
        let upserts = Mutex(0)
        let setup = try SyncSetup { event in
            if event.operation == .upsert {
                upserts.withLock { $0 += 1 }
            }
        }
        try setup.register("accounts")
        for number in 1...500 {
            try setup.mock.create("Account", ["Name": .string("n\(number)")])
        }
        setup.mock.clock.now += 60_000
        let manager = try setup.manager()
        upserts.withLock { $0 = 0 }
        let target: JSONObject = ["type": "soql", "query": "select Name from Account", "maxBatchSize": 200]
        try await manager.sync(.down, target: target, soup: "accounts", name: "down").requireDone()
        // The records of three pages, and the row: when it is queued, with each page, and at the end.
        #expect(upserts.withLock { $0 } == 3 + 5)
    }

    @Test func `the row of a sync is written once for each call of a sync up`() async throws {
        let upserts = Mutex(0)
        let setup = try SyncSetup { event in
            if event.operation == .upsert {
                upserts.withLock { $0 += 1 }
            }
        }
        try setup.register("accounts")
        let rows = try (1...500).map { number in
            let id = try setup.mock.create("Account", ["Name": .string("n\(number)")])
            return Array(
                #"{"Id":"\#(id)","Name":"m","attributes":{"type":"Account"},"__local__":true,"__locally_updated__":true}"#
                    .utf8)
        }
        try await setup.store.upsert(rows, into: "accounts")
        let manager = try setup.manager()
        upserts.withLock { $0 = 0 }
        try await manager.sync(.up, target: ["updateFieldlist": ["Name"]], soup: "accounts", name: "up").requireDone()
        // The rows of three calls, and the row of the sync: when it is queued, with each call, and at the end.
        #expect(upserts.withLock { $0 } == 3 + 5)
    }

    @Test func `a row that is read again has the times that it was written with`() async throws {
        let setup = try SyncSetup()
        try setup.register("accounts")
        let time = Atomic<Int64>(1_600_000_000_000)
        let clock = StoreClock { time.add(1_000, ordering: .relaxed).newValue }
        let manager = try setup.manager { $0.clock = clock }
        let target: JSONObject = ["type": "soql", "query": "select Name from Account"]
        let ended = try await manager.sync(.down, target: target, soup: "accounts", name: "down").requireDone()
        #expect(ended.startTime > 0 && ended.endTime > ended.startTime)
        await manager.close()
        let read = try #require(try await setup.manager().status(of: "down"))
        #expect(read.startTime == ended.startTime && read.endTime == ended.endTime)
    }

    @Test func `the index of flags is probed at one row, in each soup that a sync names`() async throws {
        var steps: [Int64] = []
        for count in [10, 5_000] {
            let setup = try SyncSetup()
            try setup.register("parents")
            try setup.register("children", [.string("AccountId")])
            let rows = (0..<count).map { Array(#"{"Id":"C\#($0)","__local__":"0"}"#.utf8) }
            try await setup.store.upsert(rows, into: "children")
            let first = try setup.manager()
            try await first.createSync(.down, target: Self.trees, soup: "parents", name: "down")
            await first.close()
            #expect(!setup.events.all.contains { if case .legacyBooleans = $0 { true } else { false } })
            let before = setup.store.counters().machineSteps
            let second = try setup.manager()
            steps.append(setup.store.counters().machineSteps - before)
            let found = setup.events.all.compactMap { event -> String? in
                if case .legacyBooleans(let soup) = event { soup } else { nil }
            }
            #expect(found == ["children"])
            await second.close()
        }
        #expect(steps[0] == steps[1], "\(steps)")
    }
}
