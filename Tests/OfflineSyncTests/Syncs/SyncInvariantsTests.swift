import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import Soups
import SyncInvariants
import TestSupport
import Testing

/// The checker that is used after each cut finds what it is there for.
@Suite struct SyncInvariantsTests {
    /// A way to break an invariant of a world that is in order.
    struct Plant: Sendable, CustomTestStringConvertible {
        let invariant: String
        let work: @Sendable (CutWorld) throws -> Void
        var testDescription: String { invariant }

        init(_ invariant: String, _ work: @escaping @Sendable (CutWorld) throws -> Void) {
            self.invariant = invariant
            self.work = work
        }
    }

    private static let plants = [
        Plant("INV-1") { world in
            let id = try world.setup.rows("SELECT {accounts:Id} FROM {accounts} ORDER BY {accounts:_soupEntryId}")[0][0]
            try world.mock.update("Account", id, ["Name": "as before"])
        },
        Plant("INV-2") { try $0.setup.store.remove(ids: [1], from: "accounts") },
        Plant("INV-3") { try _ = $0.mock.create("Account", ["Name": "new 1"]) },
        Plant("INV-4") { try change(1, in: "accounts", of: $0, ["Name": "other"]) },
        Plant("INV-5") { world in
            let ids = try world.setup.rows("SELECT {syncs_soup:_soupEntryId} FROM {syncs_soup}")
            let id = try #require(ids.compactMap { Int64($0[0]) }.max())
            try change(id, in: "syncs_soup", of: world, ["status": "RUNNING"])
        },
        Plant("INV-6") { world in
            let connection = try world.backEnd.connect(world.setup.folder.file("store.db"))
            defer { connection.close() }
            let column = try connection.value(
                "SELECT columnName FROM soup_index_map WHERE soupName = 'accounts' AND path = 'Id'")
            guard case .text(let bytes)? = column else { return }
            let name = String(decoding: bytes, as: UTF8.self)
            let table = name.split(separator: "_").dropLast().joined(separator: "_")
            try connection.execute("UPDATE \(table) SET \(name) = 'other' WHERE id = 1")
        },
    ]

    private static func change(_ id: Int64, in soup: String, of world: CutWorld, _ changes: JSONObject) throws {
        let store = world.setup.store
        let bytes = try #require(try store.retrieve(id: id, from: soup))
        var row = try #require(try JSONValue(parsing: bytes).object)
        for (name, value) in changes.members {
            row[name] = value
        }
        try store.upsert([JSONValue.object(row).bytes()], into: soup)
    }

    @Test(arguments: plants)
    func `what breaks an invariant is found`(_ plant: Plant) async throws {
        let world = try await CutWorld(CutPlan(kind: "composite", level: "A", mode: .overwrite), .plain)
        let manager = try world.setup.manager(world.mock.transport)
        try await manager.sync(.up, target: world.plan.target, soup: "accounts", name: "up").requireDone()
        #expect(try await world.invariants.findingsAtEnd(manager, names: world.expected) == [])
        try plant.work(world)
        let found = try await world.invariants.findings(manager)
        #expect(found.contains { $0.hasPrefix(plant.invariant) }, "\(found)")
    }
}
