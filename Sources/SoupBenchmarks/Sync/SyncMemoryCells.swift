import Benchmarking
import OfflineStore
import OfflineSync
import Soups

/// By how much the process grows while a sync down brings a gigabyte: pages come and go, nothing else may stay.
enum SyncMemoryCells: CellSource {
    private static let soup = "accounts"
    private static let pageSize = 2_000

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return [cell(scope.profile.name == .smoke ? 10_000 : 1_000_000)]
    }

    private static func cell(_ records: Int) -> Cell {
        Cell(
            "sync-down-memory", ["records": String(records)], revision: 1,
            summary: "brings \(records) records of 1 KB, in pages of \(pageSize), into an empty soup",
            arms: [.plain, .cipher], comparisons: [.init(.plain, .cipher)], style: .once, primary: .memoryGrowth,
            pairs: 6, profile: .full,
            claims: [Arm.plain, .cipher].map { arm in
                Claim(
                    "PRF-05", "a sync down of a million records grows the process by less than 64 MB",
                    backend: arm.name, metric: .memoryGrowth, .cost(arm: arm, atMost: 64_000_000))
            }
        ) { arm, workplace in
            let store = try StorageArm.open(arm, in: workplace.folder)
            try SyncRecords.register(store, soup)
            let records = SyncRecords(count: records, pageSize: pageSize)
            let manager = try SyncManager(store: store, transport: MadeAnswers { records.answer($0) })
            return StoreSubject(store, folder: workplace.folder, markers: [SyncRecords.marker]) { _, _ in
                try WaitingWork.result {
                    try await manager.sync(
                        .down, target: ["type": "soql", "query": "select Name from Account"], soup: soup
                    ).requireDone().summary.fetched
                }
            } answer: { store, digest in
                digest.add(try store.count(.all(), soup: soup))
            }.countingGrowth()
        }
    }
}
