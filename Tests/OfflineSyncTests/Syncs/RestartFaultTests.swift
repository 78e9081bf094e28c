import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import ServiceTransport
import Soups
import TestSupport
import Testing

/// Restarts of a manager whose store does not work, and runs whose end cannot be written.
@Suite struct RestartFaultTests {
    private static let query: JSONObject = ["type": "soql", "query": "select Name from Account", "maxBatchSize": 200]

    /// Two syncs that were stopped before their first page, and the table of their rows.
    private func stopped(_ setup: SyncSetup) async throws -> (manager: SyncManager, table: String) {
        try setup.register("accounts")
        for number in 1...3 {
            try setup.mock.create("Account", ["Name": .string("n\(number)")])
        }
        setup.mock.clock.now += 60_000
        let manager = try setup.manager()
        for name in ["a", "b"] {
            try await manager.createSync(.down, target: Self.query, soup: "accounts", name: name)
        }
        let connection = try connect(setup)
        let number = try #require(
            try connection.integer("SELECT id FROM soup_attrs WHERE soupName = 'syncs_soup'"))
        let table = "TABLE_\(number)"
        try connection.execute(
            "UPDATE \(table) SET soup = replace(soup, '\"status\":\"NEW\"', '\"status\":\"STOPPED\"')")
        #expect(try await manager.syncs(with: .stopped).count == 2)
        #expect(manager.stop() == .stopped)
        return (manager, table)
    }

    private func connect(_ setup: SyncSetup) throws -> Connection {
        try BackEnd.plain.connect(setup.store.path, access: .readWrite)
    }

    @Test func `a sync whose row cannot be written keeps all from being restarted, until it can`() async throws {
        let setup = try SyncSetup()
        let (manager, table) = try await stopped(setup)
        let connection = try connect(setup)
        try connection.execute(
            "CREATE TRIGGER refusal BEFORE UPDATE ON \(table) WHEN NEW.id = 2 "
                + "BEGIN SELECT RAISE(ABORT, 'refused'); END")
        await #expect(throws: Fault.self) { try await manager.restart(restartStoppedSyncs: true) }
        #expect(manager.state == .stopped)
        #expect(try await manager.syncs(with: .stopped).map(\.id) == [1, 2])
        #expect(setup.mock.log.isEmpty)
        try connection.execute("DROP TRIGGER refusal")
        let ended = try await manager.restart(restartStoppedSyncs: true)
        #expect(ended.map(\.id) == [1, 2] && ended.allSatisfy { $0.status == .done })
        #expect(manager.state == .acceptingSyncs)
    }

    @Test func `a row that is not an object keeps a manager stopped, and the caller hears of it`() async throws {
        let setup = try SyncSetup()
        let (manager, table) = try await stopped(setup)
        let connection = try connect(setup)
        try connection.execute("CREATE TABLE kept AS SELECT soup FROM \(table) WHERE id = 1")
        try connection.execute("UPDATE \(table) SET soup = '[]' WHERE id = 1")
        await #expect(throws: Fault.self) { try await manager.restart(restartStoppedSyncs: true) }
        #expect(manager.state == .stopped)
        try connection.execute("UPDATE \(table) SET soup = (SELECT soup FROM kept) WHERE id = 1")
        #expect(try await manager.restart(restartStoppedSyncs: true).count == 2)
    }

    @Test func `a manager of a closed store stays stopped`() async throws {
        let setup = try SyncSetup()
        let (manager, _) = try await stopped(setup)
        try await setup.store.close()
        #expect(await faultCode { try await manager.restart(restartStoppedSyncs: true) } == .closed)
        #expect(manager.state == .stopped)
    }

    @Test func `of several restarts at once one runs each sync`() async throws {
        let setup = try SyncSetup()
        let (manager, _) = try await stopped(setup)
        let counts = await withTaskGroup(of: Int?.self) { group in
            for _ in 0..<8 {
                group.addTask { try? await manager.restart(restartStoppedSyncs: true).count }
            }
            return await group.reduce(into: [Int?]()) { $0.append($1) }
        }
        #expect(counts.compactMap(\.self) == [2])
        #expect(manager.state == .acceptingSyncs)
    }

    @Test func `a stopped run whose end cannot be written is stopped all the same, and restarted`() async throws {
        let setup = try SyncSetup()
        let (manager, table) = try await stopped(setup)
        try await manager.restart()
        let connection = try connect(setup)
        try connection.execute(
            "CREATE TRIGGER refusal BEFORE UPDATE ON \(table) WHEN NEW.soup LIKE '%\"status\":\"STOPPED\"%' "
                + "BEGIN SELECT RAISE(ABORT, 'refused'); END")
        let state = try await manager.reSync("a") { state in
            if state.status == .running {
                manager.cancel(state.id)
            }
        }
        #expect(state.status == .stopped)
        #expect(try await manager.status(of: "a")?.status == .stopped)
        #expect(try await manager.syncs(with: .stopped).map(\.id) == [1, 2])
        manager.stop()
        try connection.execute("DROP TRIGGER refusal")
        let ended = try await manager.restart(restartStoppedSyncs: true)
        #expect(ended.map(\.id) == [1, 2] && ended.allSatisfy { $0.status == .done })
        #expect(try await manager.syncs(with: .running).isEmpty)
    }
}
