import Benchmarking
import OfflineStore
import OfflineSync
import Soups

/// By how much the process grows while a sync up sends a gigabyte: batches come and go, nothing else may stay.
enum SyncUpMemoryCells: CellSource {
    private static let soup = "accounts"

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return [cell(scope.profile.name == .smoke ? 4_000 : 1_000_000)]
    }

    private static func cell(_ records: Int) -> Cell {
        Cell(
            "sync-up-memory", ["records": String(records)], revision: 1,
            summary: "sends \(records) changed rows of 1 KB, in batches of 200",
            arms: [.plain, .cipher], comparisons: [.init(.plain, .cipher)], style: .once, primary: .memoryGrowth,
            pairs: 6, profile: .full,
            claims: [Arm.plain, .cipher].map { arm in
                Claim(
                    "PRF-05", "a sync up of a million changed rows grows the process by less than 64 MB",
                    backend: arm.name, metric: .memoryGrowth, .cost(arm: arm, atMost: 64_000_000))
            }
        ) { arm, workplace in
            let store = try StorageArm.openCopy(of: "sync-up-memory-\(records)", arm, workplace) { store in
                try SyncRecords(count: records, pageSize: 2_000).fill(store, soup) { _ in true }
            }
            let manager = try SyncManager(store: store, transport: AgreeingService())
            let target: JSONObject = [
                "swiftImpl": "collection", "updateFieldlist": ["Field1__c", "Field2__c", "Name"],
            ]
            return StoreSubject(store, folder: workplace.folder, markers: [SyncRecords.marker]) { _, _ in
                try WaitingWork.result {
                    try await manager.sync(
                        .up, target: target, soup: soup, options: SyncOptions(mergeMode: .overwrite)
                    ).requireDone().summary.pushed
                }
            } answer: { store, digest in
                digest.add(try store.count(.all(), soup: soup))
            }.countingGrowth()
        }
    }
}
