import Benchmarking
import OfflineStore
import OfflineSync
import Soups

/// What it costs to find the rows that a service no longer has, of which there are one in a hundred: against reading
/// the ids of all rows page by page and reading the answers.
enum GhostCells: CellSource {
    private static let soup = "accounts"
    private static let pageSize = 2_000
    private static let clean = "clean"
    private static let read = "read"

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let sizes = scope.profile.name == .smoke ? [2_000] : [10_000, 100_000, 1_000_000]
        return sizes.map(cell)
    }

    private static func cell(_ entries: Int) -> Cell {
        Cell(
            "sync-ghosts", ["entries": String(entries)], revision: 2,
            summary: "cleans \(entries) rows, of which 1 % are gone on the service",
            arms: Arm.all(read, clean), comparisons: Cell.Comparison.ways(read, clean, sameAnswer: false),
            style: .once, pairs: 6, profile: .full,
            claims: Arm.backends.flatMap { claims($0, entries) }
        ) { arm, workplace in
            let records = SyncRecords(count: entries, pageSize: pageSize)
            let store = try StorageArm.openCopy(of: "sync-ids-\(entries)", arm, workplace) { store in
                try records.fillWithIds(store, soup)
            }
            let work = arm.way == clean ? try cleaning(store, records) : reading(records)
            return StoreSubject(store, folder: workplace.folder, markers: [], work: work) { store, digest in
                digest.add(try store.count(.all(), soup: soup))
            }.countingGrowth()
        }
    }

    private static func claims(_ backend: String, _ entries: Int) -> [Claim] {
        let arm = Arm(backend, clean)
        var claims = [
            Claim(
                "PRF-06", "the time of a row does not depend on the number of rows", backend: backend,
                .growth(arm: arm, -1...0.1)),
            Claim(
                "PRF-06", "cleaning costs twice reading the ids and the answers", backend: backend, metric: .cpu,
                .ratio(base: Arm(backend, read), arm: arm, atMost: 2)),
        ]
        if entries >= 1_000_000 {
            claims.append(
                Claim(
                    "PRF-06", "a cleaning of a million rows grows the process by less than 64 MB", backend: backend,
                    metric: .memoryGrowth, .cost(arm: arm, atMost: 64_000_000)))
        }
        return claims
    }

    private static func isAlive(_ number: Int) -> Bool { number % 100 != 7 }

    private static func cleaning(_ store: SmartStore, _ records: SyncRecords) throws -> StoreSubject.Work {
        let manager = try SyncManager(
            store: store, transport: MadeAnswers { records.ids($0, where: isAlive) })
        try WaitingWork.result {
            _ = try await manager.createSync(
                .down, target: ["type": "soql", "query": "select Name from Account"], soup: soup, name: "down")
        }
        return { _, _ in
            try WaitingWork.result { _ = try await manager.cleanResyncGhosts("down") }
            return records.count
        }
    }

    private static func reading(_ records: SyncRecords) -> StoreSubject.Work {
        { store, _ in
            var read = 0
            for number in 0..<records.pageCount {
                let answer = try JSONValue(parsing: records.ids(number, where: isAlive))
                read += answer["records"]?.array?.count ?? 0
            }
            var last: Int64 = 0
            while true {
                let rows = try store.rows(
                    "SELECT {accounts:_soupEntryId}, {accounts:Id} FROM {accounts} WHERE {accounts:_soupEntryId} > ? ORDER BY 1",
                    arguments: [.integer(last)], limit: pageSize)
                guard case .value(.integer(let entryId))? = rows.last?.first else { break }
                last = entryId
                read += rows.count
            }
            return read > 0 ? records.count : 0
        }
    }
}
