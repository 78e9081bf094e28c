import Benchmarking
import OfflineStore
import OfflineSync
import ServiceTransport
import Soups

/// A sync up that finds nothing to send: what it costs next to two commits of a small row, whatever the number of rows.
enum SyncIdleCells: CellSource {
    private static let soup = "accounts"
    private static let notes = "notes"
    private static let commits = "commits"
    private static let sync = "sync"

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let sizes = scope.profile.name == .smoke ? [2_000] : [10_000, 100_000, 1_000_000]
        return sizes.map(cell)
    }

    private static func cell(_ entries: Int) -> Cell {
        Cell(
            "sync-up-idle", ["entries": String(entries)], revision: 1,
            summary: "sends nothing of \(entries) rows without local changes, against two commits of a small row",
            arms: Arm.all(commits, sync), comparisons: Cell.Comparison.ways(commits, sync), pairs: 6, profile: .full,
            claims: Arm.backends.flatMap(claims)
        ) { arm, workplace in
            let store = try StorageArm.openCopy(of: "sync-ids-\(entries)", arm, workplace) { store in
                try SyncRecords(count: entries, pageSize: 2_000).fillWithIds(store, soup)
            }
            let work = arm.way == sync ? try syncing(store) : try committing(store)
            return StoreSubject(store, folder: workplace.folder, markers: [], work: work) { store, digest in
                digest.add(try store.count(.all(), soup: soup))
            }
        }
    }

    private static func claims(_ backend: String) -> [Claim] {
        let arm = Arm(backend, sync)
        return [
            Claim(
                "PRF-04", "a sync up without local changes takes 2 ms of the processor", backend: backend, metric: .cpu,
                .cost(arm: arm, atMost: 2_000_000)),
            Claim(
                "PRF-04", "the time does not depend on the number of rows", backend: backend,
                .growth(arm: arm, -1...0.1)),
        ]
    }

    private static func syncing(_ store: SmartStore) throws -> StoreSubject.Work {
        let manager = try SyncManager(store: store, transport: NoService())
        try WaitingWork.result {
            _ = try await manager.createSync(.up, target: ["updateFieldlist": ["Name"]], soup: soup, name: "up")
        }
        return { _, _ in
            try WaitingWork.result { _ = try await manager.reSync("up").requireDone() }
            return 1
        }
    }

    private static func committing(_ store: SmartStore) throws -> StoreSubject.Work {
        try store.registerSoup(notes, indexSpecs: [.string("name")])
        return { store, _ in
            for text in [#"{"_soupEntryId":1,"name":"first"}"#, #"{"_soupEntryId":1,"name":"second"}"#] {
                _ = try store.upsert([Array(text.utf8)], into: notes)
            }
            return 1
        }
    }
}

/// Refuses every request, because a sync without local changes must make none.
private struct NoService: Transport {
    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        throw TransportFailure.noAnswer("a sync without local changes asked for something")
    }
}
