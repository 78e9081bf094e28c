import Foundation
import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import Soups
import SyncInvariants
import TestSupport
import Testing

/// Cuts small syncs up: at one request of each plan in every way, or, for `ci/sync-cuts small`, at every request.
@Suite(.serialized) struct UpCutTests {
    private static let isWhole = ProcessInfo.processInfo.environment["SOUP_SYNC_CUTS"] == "all"

    @Test(arguments: ["single", "composite", "collection", "parent_children"], [BackEnd.plain, .cipher])
    func `a sync up that is cut anywhere loses nothing and creates nothing twice`(
        _ kind: String, _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededRandom(seed: seed)
        var chosen = ["A", "C"].flatMap { level in
            SyncMergeMode.allCases.flatMap { mode in
                Cut.Kind.allCases.map { (CutPlan(kind: kind, level: level, mode: mode), $0) }
            }
        }
        if !Self.isWhole {
            // One plan for each way to cut.
            chosen = Cut.Kind.allCases.map { way in
                let own = chosen.filter { $0.1 == way }
                return own[Int(random.next() % UInt64(own.count))]
            }
        }
        var cuts = 0
        for (plan, way) in chosen {
            let requests = try await requests(of: plan, backEnd)
            let all = Self.isWhole ? Array(1...requests) : [1 + Int(random.next() % UInt64(requests))]
            for request in all {
                try await cut(plan, Cut(kind: way, request: request), backEnd, seed)
                cuts += 1
            }
        }
        print("sync cuts: \(backEnd.rawValue) \(kind): \(cuts) cuts, seed \(seed)")
    }

    /// The number of requests of a run that is not cut, which ends as every other must.
    private func requests(of plan: CutPlan, _ backEnd: BackEnd) async throws -> Int {
        let world = try await CutWorld(plan, backEnd)
        let (transport, requests) = world.transport(nil)
        let manager = try world.setup.manager(transport)
        try await up(manager, plan)
        let found = try await world.invariants.findingsAtEnd(manager, names: world.expected)
        #expect(found.isEmpty, "\(found) without a cut")
        await manager.close()
        return try #require(requests.count > 0 ? requests.count : nil)
    }

    private func up(_ manager: SyncManager, _ plan: CutPlan) async throws {
        _ = try await manager.sync(
            .up, target: plan.target, soup: "accounts", options: SyncOptions(mergeMode: plan.mode), name: "up")
    }

    /// Cuts one run and lets it come to its end.
    private func cut(_ plan: CutPlan, _ cut: Cut, _ backEnd: BackEnd, _ seed: UInt64) async throws {
        let world = try await CutWorld(plan, backEnd)
        let comment: Comment =
            "\(plan.kind) \(plan.level) \(plan.mode) \(cut.kind) at request \(cut.request), seed \(seed)"
        let (transport, requests) = world.transport(cut)
        var manager = try world.setup.manager(transport)
        try? await up(manager, plan)
        manager.abandon()
        #expect(requests.count >= cut.request, comment)
        try await world.setup.store.reopen()
        manager = try world.setup.manager(world.mock.transport)
        #expect(try await world.invariants.findings(manager) == [], comment)
        for _ in 0..<4 {
            try await manager.reSync("up").requireDone()
            #expect(try await world.invariants.findings(manager) == [], comment)
            try await decide(manager, world)
            if plan.mode == .leaveIfChanged {
                // A row that was sent has an older date than its record until a sync down.
                try await world.down(manager)
            }
        }
        #expect(try await world.invariants.findingsAtEnd(manager, names: world.expected) == [], comment)
        await manager.close()
        try await world.setup.store.close()
    }

    /// Decides what is in doubt, as somebody does who looks at the service.
    private func decide(_ manager: SyncManager, _ world: CutWorld) async throws {
        for (soup, type, field) in [("accounts", "Account", "Name"), ("contacts", "Contact", "LastName")] {
            for doubt in try await manager.pendingDoubts(inSoup: soup) {
                let name = doubt.sent[field]
                let record = world.mock.records(of: type).first { $0[field] == name }
                let decision = record?["Id"]?.string.map { Doubt.wasCreated(id: $0) } ?? .wasNotCreated
                try await manager.resolveDoubt(decision, soup: soup, entryId: doubt.entryId)
            }
        }
    }
}
