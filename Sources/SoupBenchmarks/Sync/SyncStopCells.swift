import Benchmarking
import OfflineStore
import OfflineSync
import Soups
import Synchronization

/// The time from a stop to the end of the run: that of the page under way, which is saved.
enum SyncStopCells: CellSource {
    private static let soup = "accounts"
    private static let pageSize = 2_000

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return [
            Cell(
                "sync-stop", ["page": String(pageSize)], revision: 1,
                summary: "stops a sync down of pages of \(pageSize) records of 1 KB and waits for its end",
                arms: [.plain, .cipher], comparisons: [.init(.plain, .cipher)], style: .once, pairs: 6,
                profile: .full,
                claims: [Arm.plain, .cipher].map { arm in
                    Claim(
                        "PRF-08", "a run ends within 50 ms of its stop", backend: arm.name,
                        .cost(arm: arm, atMost: 50_000_000))
                }
            ) { arm, workplace in
                let store = try StorageArm.open(arm, in: workplace.folder)
                try store.registerSoup(
                    soup, indexSpecs: [.string("Id"), .string("__local__"), .integer("__sync_id__"), .string("Name")])
                return StoreSubject(store, folder: workplace.folder, markers: [SyncRecords.marker], work: stopping) {
                    try StoreSubject.allEntries(of: soup, upTo: pageSize * 3)($0, &$1)
                }
            }
        ]
    }

    /// Lets two pages be saved, and stops when the third is answered: the clock runs from there.
    private static func stopping(_ store: SmartStore, _ watch: Stopwatch) throws -> Int {
        try watch.pause {
            let records = SyncRecords(count: pageSize * 10, pageSize: pageSize)
            let answers = records.answers
            let (asked, ask) = AsyncStream.makeStream(of: Void.self)
            let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
            let manager = try SyncManager(
                store: store,
                transport: WaitingAnswers(answers, waitsAt: 2) {
                    ask.yield()
                    for await _ in goOn {
                        break
                    }
                })
            let ended = Mutex(false)
            let sync = Task {
                try await manager.sync(
                    .down, target: ["type": "soql", "query": "select Name from Account"], soup: soup)
            }
            try WaitingWork.result {
                for await _ in asked {
                    break
                }
            }
            try watch.measure {
                _ = manager.stop()
                letGoOn.yield()
                let status = try WaitingWork.result { try await sync.value.status }
                ended.withLock { $0 = status == .stopped }
            }
            guard ended.withLock({ $0 }) else { throw Fault(.closed, "the run was not stopped") }
            return 1
        }
    }
}
