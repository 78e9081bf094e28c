import Benchmarking
import JSONText
import LocalChanges
import OfflineStore
import OfflineSync
import Soups

/// What a sync up costs beyond reading the changed rows and storing them again: 10,000 of them, with a service whose
/// answers are ready in memory.
enum SyncUpCells: CellSource {
    private static let soup = "accounts"
    private static let batch = 200
    private static let page = 2_000
    private static let entries = "entries"
    private static let sync = "sync"
    private static let leave = "leave"

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        guard scope.profile.name != .smoke else { return [cell(4_000, changed: 400)] }
        return [cell(100_000, changed: 10_000), cell(1_000_000, changed: 10_000)]
    }

    private static func cell(_ records: Int, changed: Int) -> Cell {
        let backends = ["plain", "cipher"]
        let comparisons = backends.flatMap { backend in
            [
                // Storing alone leaves the rows marked as changed; a sync clears the marks.
                Cell.Comparison(Arm(backend, entries), Arm(backend, sync), sameAnswer: false),
                Cell.Comparison(Arm(backend, sync), Arm(backend, leave)),
            ]
        }
        return Cell(
            "sync-up", ["records": String(records), "changed": String(changed)], revision: 2,
            summary: "sends \(changed) changed rows of \(records)",
            arms: backends.flatMap { backend in [entries, sync, leave].map { Arm(backend, $0) } },
            comparisons: comparisons, style: .once, primary: .cpu, pairs: 6, profile: .full, claims: claims(backends)
        ) { arm, workplace in
            let ids = Array(stride(from: Int64(1), through: Int64(records), by: records / changed))
            let store = try StorageArm.openCopy(of: "sync-up-\(records)-\(changed)", arm, workplace) { store in
                try SyncRecords(count: records, pageSize: page).fill(store, soup) { _ in false }
                try change(ids, store)
            }
            let work =
                try arm.way == entries ? storing(ids) : syncing(ids.count, store, leaves: arm.way == leave)
            return StoreSubject(store, folder: workplace.folder, markers: [SyncRecords.marker], work: work) {
                try StoreSubject.allEntries(of: soup, upTo: records)($0, &$1)
            }
        }
    }

    private static func claims(_ backends: [String]) -> [Claim] {
        backends.flatMap { backend in
            [
                Claim(
                    "PRF-03", "a sync up costs three times reading and storing the changed rows", backend: backend,
                    .ratio(base: Arm(backend, entries), arm: Arm(backend, sync), atMost: 3)),
                Claim(
                    "PRF-03", "asking for dates first costs 1.3 times sending at once", backend: backend,
                    .ratio(base: Arm(backend, sync), arm: Arm(backend, leave), atMost: 1.3)),
            ]
        }
    }

    // MARK: - The work

    /// Marks rows as changed.
    private static func change(_ ids: [Int64], _ store: SmartStore) throws {
        let edits = LocalEdits(store, soup: soup)
        try store.transaction { _ in
            for id in ids {
                _ = try edits.update(id, changes: ["Field1__c": "sync-record-marker changed"])
            }
        }
    }

    private static func storing(_ ids: [Int64]) -> StoreSubject.Work {
        { store, _ in
            for start in stride(from: 0, to: ids.count, by: batch) {
                let part = Array(ids[start..<min(start + batch, ids.count)])
                try store.transaction { _ in
                    _ = try store.upsert(store.retrieve(ids: part, from: soup), into: soup)
                }
            }
            return ids.count
        }
    }

    private static func syncing(_ count: Int, _ store: SmartStore, leaves: Bool) throws -> StoreSubject.Work {
        let manager = try SyncManager(store: store, transport: AgreeingService())
        let target: JSONObject = ["swiftImpl": "collection", "updateFieldlist": ["Field1__c", "Field2__c", "Name"]]
        let options = SyncOptions(mergeMode: leaves ? .leaveIfChanged : .overwrite)
        return { _, _ in
            try WaitingWork.result {
                try await manager.sync(.up, target: target, soup: soup, options: options).requireDone().summary.pushed
            }
        }
    }
}
