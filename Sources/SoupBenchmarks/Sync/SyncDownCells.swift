import Benchmarking
import OfflineStore
import OfflineSync
import ServiceTransport
import Soups

/// What a sync down costs beyond storing its records: pages of 2,000 records of 1 KB, whose answers are ready in
/// memory, against upserts of the same rows by their ids in transactions of 2,000.
enum SyncDownCells: CellSource {
    private static let soup = "accounts"
    private static let pageSize = 2_000
    private static let upsert = "upsert"
    private static let sync = "sync"
    private static let leave = "leave"

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let records = scope.profile.name == .smoke ? 4_000 : 100_000
        return [cell(records, isFull: false), cell(records, isFull: true)]
            + [1, 100].map { dirty(records, percent: $0) }
    }

    /// A soup of which a part has local changes: what it costs to leave them, against overwriting them.
    private static func dirty(_ records: Int, percent: Int) -> Cell {
        let backends = ["plain", "cipher"]
        return Cell(
            "sync-down-dirty", ["records": String(records), "dirty": String(percent)], revision: 2,
            summary: "saves \(records) records of 1 KB in a soup of which \(percent) % have local changes",
            arms: backends.flatMap { [Arm($0, sync), Arm($0, leave)] },
            comparisons: backends.map { .init(Arm($0, sync), Arm($0, leave), sameAnswer: false) }, style: .once,
            primary: .cpu, pairs: 6, profile: .full,
            claims: backends.map { backend in
                Claim(
                    "PRF-02", "leaving what was changed locally costs 1.1 times overwriting it", backend: backend,
                    .ratio(base: Arm(backend, sync), arm: Arm(backend, leave), atMost: 1.1))
            }
        ) { arm, workplace in
            let records = SyncRecords(count: records, pageSize: pageSize)
            let name = "sync-down-\(records.count)-dirty-\(percent)"
            let store = try StorageArm.openCopy(of: name, arm, workplace) { store in
                try records.fill(store, soup) { $0 % 100 < percent }
            }
            return StoreSubject(
                store, folder: workplace.folder, markers: [SyncRecords.marker],
                work: try syncing(records, store, leaves: arm.way == leave)
            ) {
                try StoreSubject.allEntries(of: soup, upTo: records.count)($0, &$1)
            }
        }
    }

    private static func cell(_ records: Int, isFull: Bool) -> Cell {
        let backends = ["plain", "cipher"]
        let ways = isFull ? [upsert, sync, leave] : [upsert, sync]
        var comparisons = backends.map { Cell.Comparison(Arm($0, upsert), Arm($0, sync)) }
        if isFull {
            comparisons += backends.map { Cell.Comparison(Arm($0, sync), Arm($0, leave)) }
        }
        return Cell(
            "sync-down", ["records": String(records), "soup": isFull ? "full" : "empty"], revision: 2,
            summary: "saves \(records) records of 1 KB in \(isFull ? "a soup that has them" : "an empty soup")",
            arms: backends.flatMap { backend in ways.map { Arm(backend, $0) } }, comparisons: comparisons,
            style: .once, primary: .cpu, pairs: 6, profile: .full, claims: claims(backends, isFull: isFull)
        ) { arm, workplace in
            let records = SyncRecords(count: records, pageSize: pageSize)
            let name = "sync-down-\(records.count)-\(isFull ? "full" : "empty")"
            let store = try StorageArm.openCopy(of: name, arm, workplace) { store in
                try isFull ? records.fill(store, soup) { _ in false } : SyncRecords.register(store, soup)
            }
            let work = try arm.way == upsert ? upserting(records) : syncing(records, store, leaves: arm.way == leave)
            return StoreSubject(store, folder: workplace.folder, markers: [SyncRecords.marker], work: work) {
                try StoreSubject.allEntries(of: soup, upTo: records.count)($0, &$1)
            }
        }
    }

    private static func claims(_ backends: [String], isFull: Bool) -> [Claim] {
        var claims = backends.map { backend in
            Claim(
                isFull ? "PRF-02" : "PRF-01", "a sync down costs 1.3 times upserting the same rows", backend: backend,
                .ratio(base: Arm(backend, upsert), arm: Arm(backend, sync), atMost: 1.3))
        }
        if isFull {
            claims += backends.map { backend in
                Claim(
                    "PRF-02", "leaving what was changed locally costs 1.1 times overwriting it", backend: backend,
                    .ratio(base: Arm(backend, sync), arm: Arm(backend, leave), atMost: 1.1))
            }
        }
        return claims
    }

    // MARK: - The work

    private static func upserting(_ records: SyncRecords) -> StoreSubject.Work {
        let pages = records.rows
        return { store, _ in
            for rows in pages {
                try store.upsert(rows, into: soup, externalIdPath: "Id")
            }
            return records.count
        }
    }

    private static func syncing(_ records: SyncRecords, _ store: SmartStore, leaves: Bool) throws -> StoreSubject.Work {
        let manager = try SyncManager(store: store, transport: ReadyAnswers(records.answers))
        let options = SyncOptions(mergeMode: leaves ? .leaveIfChanged : .overwrite)
        return { _, _ in
            try WaitingWork.result {
                try await manager.sync(
                    .down, target: ["type": "soql", "query": "select Name from Account"], soup: soup, options: options
                ).requireDone().summary.fetched
            }
        }
    }
}
