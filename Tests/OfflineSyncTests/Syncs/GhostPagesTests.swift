import Foundation
import OfflineStore
import OfflineSync
import ServiceTransport
import Soups
import Synchronization
import Testing

/// Ghosts of soups with several pages of rows.
@Suite struct GhostPagesTests {
    private static let count = 9_000

    @Test(arguments: [0, 1, 2, 3])
    func `every row that is gone is removed, and no other`(share: Int) async throws {
        let setup = try SyncSetup()
        try setup.register("accounts")
        let rows = (0..<Self.count).map { number in
            // Rows with local changes stay, whether the service has them or not.
            Array(#"{"Id":"R\#(number)","__local__":\#(number % 10 == 9),"__sync_id__":1}"#.utf8)
        }
        try await setup.store.upsert(rows, into: "accounts")
        let living = (0..<Self.count).filter { $0 % 3 >= share }
        let records = living.map { #"{"Id":"R\#($0)"}"# }.joined(separator: ",")
        let answer = Array(#"{"totalSize":\#(living.count),"done":true,"records":[\#(records)]}"#.utf8)
        let manager = try setup.manager(FunctionTransport { _ in ServiceResponse(status: 200, body: answer) })
        _ = try await manager.createSync(
            .down, target: ["type": "soql", "query": "select Name from Account"], soup: "accounts", name: "down")
        let gone = (0..<Self.count).filter { $0 % 3 < share && $0 % 10 != 9 }.count
        #expect(try await manager.cleanResyncGhosts("down") == gone)
        #expect(try await setup.store.count(.all(), soup: "accounts") == Self.count - gone)
        let ids = try setup.rows("SELECT {accounts:Id} FROM {accounts} WHERE {accounts:__local__} = 'true'")
        #expect(ids.count == Self.count / 10)
    }

    @Test func `what is left of a page of rows begins the next question`() async throws {
        let setup = try SyncSetup()
        try setup.register("accounts")
        let rows = (0..<4_001).map { Array(#"{"Id":"R\#($0)","__local__":false,"__sync_id__":1}"#.utf8) }
        try await setup.store.upsert(rows, into: "accounts")
        let asked = Mutex<[Int]>([])
        let manager = try setup.manager(
            FunctionTransport { request in
                let count = request.query.first?.value.components(separatedBy: "'R").count ?? 0
                asked.withLock { $0.append(count - 1) }
                return ServiceResponse(status: 200, body: Array(#"{"totalSize":0,"done":true,"records":[]}"#.utf8))
            })
        let target: JSONObject = [
            "type": "refresh", "soupName": "accounts", "sobjectType": "Account", "fieldlist": ["Name"],
            "countIdsPerSoql": 300,
        ]
        _ = try await manager.createSync(.down, target: target, soup: "accounts", name: "down")
        #expect(try await manager.cleanResyncGhosts("down") == 4_001)
        #expect(asked.withLock { $0 } == Array(repeating: 300, count: 13) + [101])
    }
}
