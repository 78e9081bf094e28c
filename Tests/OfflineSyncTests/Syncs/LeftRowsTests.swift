import OfflineStore
import OfflineSync
import ServiceTransport
import Soups
import Testing

/// Which rows a sync down leaves to the local user, and what it costs to find them.
@Suite struct LeftRowsTests {
    /// Records of one page.
    private static let answer = answer(8)

    private static func answer(_ count: Int) -> [UInt8] {
        let date = #""LastModifiedDate":"2020-09-01T10:00:00Z""#
        let records = (0..<count).map { #"{"Id":"R\#($0)","Name":"theirs",\#(date)}"# }
        return Array(#"{"totalSize":\#(count),"done":true,"records":[\#(records.joined(separator: ","))]}"#.utf8)
    }

    private static let target: JSONObject = ["type": "soql", "query": "select Name from Account"]

    private static func sync(
        _ setup: SyncSetup, _ mode: SyncMergeMode, answer: [UInt8] = answer
    ) async throws -> SyncState {
        let manager = try setup.manager(FunctionTransport { _ in ServiceResponse(status: 200, body: answer) })
        let state = try await manager.sync(
            .down, target: target, soup: "accounts", options: SyncOptions(mergeMode: mode)
        ).requireDone()
        await manager.close()
        return state
    }

    /// The indexes of flags that apps have, and set flags that their columns may hold.
    @Test(arguments: [
        (IndexSpec.string("__local__"), "true"), (.string("__local__"), #""true""#), (.integer("__local__"), "true"),
        (.integer("__local__"), "1"), (.json1("__local__"), "true"), (.json1("__local__"), "1"),
        (.json1("__local__"), #""true""#), (.json1("__local__"), #""1""#),
    ])
    func `rows with a set flag are left, few or many, whatever form the flag has`(
        index: IndexSpec, flag: String
    ) async throws {
        for count in [0, 1, 4, 5, 8] {
            let setup = try SyncSetup()
            try await setup.store.registerSoup(
                "accounts", indexSpecs: [.string("Id"), .string("Name"), .integer("__sync_id__"), index])
            let rows = (0..<8).map { number in
                #"{"Id":"R\#(number)","Name":"mine","__local__":\#(number < count ? flag : "false")}"#
            }
            try await setup.store.upsert(rows.map { Array($0.utf8) }, into: "accounts")
            // What the column holds decides: an index of integers holds nothing of a text that is not a number.
            let set = try setup.rows("SELECT {accounts:__local__} FROM {accounts}").filter {
                ["1", "true"].contains($0[0])
            }
            _ = try await Self.sync(setup, .leaveIfChanged)
            let left = try setup.rows("SELECT {accounts:Id} FROM {accounts} WHERE {accounts:Name} = 'mine'")
            #expect(left.count == set.count, "\(index) \(flag) \(count)")
        }
    }

    @Test(arguments: [#"7"#, #"7.0"#, #""7""#, "1e2"])
    func `a changed row with a number as its id is left`(id: String) async throws {
        for changed in [1, 6] {
            let setup = try SyncSetup()
            try await setup.store.registerSoup(
                "accounts",
                indexSpecs: [.json1("Id"), .string("__local__"), .integer("__sync_id__"), .string("Name")])
            let ids = [id] + (1..<changed).map { #""other\#($0)""# }
            try await setup.store.upsert(
                ids.map { Array(#"{"Id":\#($0),"Name":"mine","__local__":true}"#.utf8) }, into: "accounts")
            let record = #"{"Id":\#(id),"Name":"theirs","LastModifiedDate":"2020-09-01T10:00:00Z"}"#
            let answer = Array(#"{"totalSize":1,"done":true,"records":[\#(record),\#(record)]}"#.utf8)
            _ = try await Self.sync(setup, .leaveIfChanged, answer: answer)
            let left = try setup.rows("SELECT {accounts:Name} FROM {accounts} WHERE {accounts:Name} = 'mine'")
            #expect(left.count == changed, "\(id)")
        }
    }

    @Test(arguments: [0, 5]) func `two rows with the id of a record are refused if one of them is changed`(
        others: Int
    ) async throws {
        let setup = try SyncSetup()
        try setup.register("accounts", [.string("Name")])
        let rows =
            [#"{"Id":"R0","Name":"mine","__local__":true}"#, #"{"Id":"R0","Name":"mine","__local__":false}"#]
            + (0..<others).map { #"{"Id":"other\#($0)","Name":"mine","__local__":true}"# }
        try await setup.store.upsert(rows.map { Array($0.utf8) }, into: "accounts")
        let fault = await #expect(throws: (any Error).self) { _ = try await Self.sync(setup, .leaveIfChanged) }
        #expect("\(fault as Any)".contains("externalIdNotUnique"))
        #expect(try await setup.store.count(.all(), soup: "accounts") == rows.count)
    }

    @Test func `leaving changes costs as many steps as replacing them where no row has any`() async throws {
        var steps: [Int64] = []
        for mode in [SyncMergeMode.overwrite, .leaveIfChanged] {
            let setup = try SyncSetup()
            try setup.register("accounts", [.string("Name")])
            _ = try await Self.sync(setup, .overwrite, answer: Self.answer(800))
            let before = setup.store.counters().machineSteps
            _ = try await Self.sync(setup, mode, answer: Self.answer(800))
            steps.append(setup.store.counters().machineSteps - before)
        }
        #expect(Double(steps[1]) <= 1.1 * Double(steps[0]), "\(steps)")
    }
}
