import LoopbackHTTP
import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import ServiceTransport
import Soups
import TestSupport
import Testing

/// The Japanese article's NativeSqlAggregator: two soups from the service, joined and grouped by Smart SQL.
@Suite struct AggregatorScenario {
    private static let sums =
        "SELECT {accounts:Name}, count({opportunities:Id}), sum({opportunities:Amount}), avg({opportunities:Amount}) "
        + "FROM {accounts} LEFT JOIN {opportunities} ON {opportunities:AccountId} = {accounts:Id} "
        + "GROUP BY {accounts:Id} ORDER BY {accounts:Name}"

    @Test(arguments: BackEnds.available)
    func `accounts with the sums of their opportunities, in process`(backEnd: BackEnd) async throws {
        let setup = try SyncSetup(backEnd)
        try await play(setup, setup.mock.transport)
    }

    @Test func `accounts with the sums of their opportunities, over HTTP`() async throws {
        let setup = try SyncSetup()
        let mock = setup.mock
        let server = try LoopbackServer { LoopbackAnswer(mock.handle($0).response) }
        try await play(setup, LoopbackTransport(port: server.port))
        server.stop()
    }

    private func play(_ setup: SyncSetup, _ transport: any Transport) async throws {
        // Three accounts have two, one and no opportunities.
        let acme = try setup.mock.create("Account", ["Name": "Acme"])
        let beta = try setup.mock.create("Account", ["Name": "Beta"])
        _ = try setup.mock.create("Account", ["Name": "Gamma"])
        for (name, account, amount) in [("a", acme, 1_000), ("b", acme, 2_500), ("c", beta, 400)] {
            try setup.mock.create(
                "Opportunity",
                ["Name": .string(name), "AccountId": .string(account), "Amount": .number(JSONNumber(Int64(amount)))])
        }
        setup.mock.clock.now += 60_000

        // Two syncs bring them into two soups.
        try setup.register("accounts", [.string("Name")])
        try setup.register("opportunities", [.string("AccountId"), .floating("Amount")])
        let manager = try setup.manager(transport)
        try await manager.sync(
            .down, target: ["type": "soql", "query": "select Id, Name from Account"], soup: "accounts"
        ).requireDone()
        try await manager.sync(
            .down, target: ["type": "soql", "query": "select Id, Name, AccountId, Amount from Opportunity"],
            soup: "opportunities", name: "opportunities"
        ).requireDone()

        // Smart SQL joins and groups them.
        #expect(
            try setup.rows(Self.sums) == [
                ["Acme", "2", "3500.0", "1750.0"], ["Beta", "1", "400.0", "400.0"], ["Gamma", "0", "null", "null"],
            ])

        // A local edit changes the sum at once.
        let edits = LocalEdits(setup.store, soup: "opportunities")
        let found = try await setup.store.lookupEntryId(
            inSoup: "opportunities", path: "AccountId", value: .text(beta))
        let row = try #require(found)
        _ = try await edits.update(row, changes: ["Amount": 500])
        #expect(try setup.rows(Self.sums)[1] == ["Beta", "1", "500.0", "500.0"])

        // After a change on the service the sum follows; the edit is still there.
        let first = try #require(setup.mock.records(of: "Opportunity").first?["Id"]?.string)
        try setup.mock.update("Opportunity", first, ["Amount": 2_000])
        setup.mock.clock.now += 60_000
        let state = try await manager.reSync("opportunities").requireDone()
        #expect(state.summary.fetched == 1)
        #expect(
            try setup.rows(Self.sums).prefix(2) == [
                ["Acme", "2", "4500.0", "2250.0"], ["Beta", "1", "500.0", "500.0"],
            ])
    }
}
