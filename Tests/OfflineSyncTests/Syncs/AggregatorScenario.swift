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
        let place = try SyncPlace(backEnd)
        try await play(place, place.mock.transport)
    }

    @Test func `accounts with the sums of their opportunities, over HTTP`() async throws {
        let place = try SyncPlace()
        let mock = place.mock
        let server = try LoopbackServer { LoopbackAnswer(mock.handle($0).response) }
        try await play(place, LoopbackTransport(port: server.port))
        server.stop()
    }

    private func play(_ place: SyncPlace, _ transport: any Transport) async throws {
        // Three accounts have two, one and no opportunities.
        let acme = try place.mock.create("Account", ["Name": "Acme"])
        let beta = try place.mock.create("Account", ["Name": "Beta"])
        _ = try place.mock.create("Account", ["Name": "Gamma"])
        for (name, account, amount) in [("a", acme, 1_000), ("b", acme, 2_500), ("c", beta, 400)] {
            try place.mock.create(
                "Opportunity",
                ["Name": .string(name), "AccountId": .string(account), "Amount": .number(JSONNumber(Int64(amount)))])
        }
        place.mock.clock.now += 60_000

        // Two syncs bring them into two soups.
        try place.register("accounts", [.string("Name")])
        try place.register("opportunities", [.string("AccountId"), .floating("Amount")])
        let manager = try place.manager(transport)
        try await manager.sync(
            .down, target: ["type": "soql", "query": "select Id, Name from Account"], soup: "accounts"
        ).requireDone()
        try await manager.sync(
            .down, target: ["type": "soql", "query": "select Id, Name, AccountId, Amount from Opportunity"],
            soup: "opportunities", name: "opportunities"
        ).requireDone()

        // Smart SQL joins and groups them.
        #expect(
            try place.rows(Self.sums) == [
                ["Acme", "2", "3500.0", "1750.0"], ["Beta", "1", "400.0", "400.0"], ["Gamma", "0", "null", "null"],
            ])

        // A local edit changes the sum at once.
        let edits = LocalEdits(place.store, soup: "opportunities")
        let found = try await place.store.lookupEntryId(
            inSoup: "opportunities", path: "AccountId", value: .text(beta))
        let row = try #require(found)
        _ = try edits.update(row, changes: ["Amount": 500])
        #expect(try place.rows(Self.sums)[1] == ["Beta", "1", "500.0", "500.0"])

        // After a change on the service the sum follows; the edit is still there.
        let first = try #require(place.mock.records(of: "Opportunity").first?["Id"]?.string)
        try place.mock.update("Opportunity", first, ["Amount": 2_000])
        place.mock.clock.now += 60_000
        let state = try await manager.reSync("opportunities").requireDone()
        #expect(state.summary.fetched == 1)
        #expect(
            try place.rows(Self.sums).prefix(2) == [
                ["Acme", "2", "4500.0", "2250.0"], ["Beta", "1", "500.0", "500.0"],
            ])
    }
}
