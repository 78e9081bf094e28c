import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// Cuts small syncs up at every request, in every way.
@Suite struct UpCutTests {
    @Test(arguments: ["single", "composite", "collection", "parent_children"], [BackEnd.plain, .cipher])
    func `a sync up that is cut anywhere loses nothing and creates nothing twice`(
        _ kind: String, _ backEnd: BackEnd
    ) async throws {
        try backEnd.skipIfMissing()
        var cuts = 0
        for level in ["A", "C"] {
            for mode in SyncMergeMode.allCases {
                for cut in Cut.Kind.allCases {
                    var request = 1
                    while try await isCut(
                        CutPlan(kind: kind, level: level, mode: mode), Cut(kind: cut, request: request), backEnd)
                    {
                        request += 1
                        cuts += 1
                    }
                }
            }
        }
        // Each plan has at least one request.
        #expect(cuts >= 2 * 2 * Cut.Kind.allCases.count)
    }

    /// Cuts one run and lets it come to its end. Returns false if the run has fewer requests.
    private func isCut(_ plan: CutPlan, _ cut: Cut, _ backEnd: BackEnd) async throws -> Bool {
        let world = try await CutWorld(plan, backEnd)
        let comment: Comment = "\(plan.kind) \(plan.level) \(plan.mode) \(cut.kind) at request \(cut.request)"
        let (transport, reached) = world.transport(cut)
        var manager = try world.place.manager(transport)
        _ = try? await manager.sync(
            .up, target: plan.target, soup: "accounts", options: SyncOptions(mergeMode: plan.mode), name: "up")
        manager.abandon()
        guard reached.isSet else { return false }
        try await world.place.store.reopen()
        manager = try world.place.manager(world.mock.transport)
        let invariants = UpInvariants(world: world)
        try await invariants.check(manager, comment)
        for _ in 0..<4 {
            try await manager.reSync("up").requireDone()
            try await invariants.check(manager, comment)
            try await decide(manager, world)
            if plan.mode == .leaveIfChanged {
                // A row that was sent has an older date than its record until a sync down.
                try await CutWorld.down(manager)
            }
        }
        try invariants.checkEnd(comment)
        await manager.close()
        try await world.place.store.close()
        return true
    }

    /// Decides what is in doubt, as somebody does who looks at the service.
    private func decide(_ manager: SyncManager, _ world: CutWorld) async throws {
        for (type, names) in CutWorld.soups {
            for doubt in try await manager.pendingDoubts(inSoup: names.soup) {
                let name = doubt.sent[names.field]
                let record = world.mock.records(of: type).first { $0[names.field] == name }
                let decision = record?["Id"]?.string.map { Doubt.wasCreated(id: $0) } ?? .wasNotCreated
                try await manager.resolveDoubt(decision, soup: names.soup, entryId: doubt.entryId)
            }
        }
    }
}
