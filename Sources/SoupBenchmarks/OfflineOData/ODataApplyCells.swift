import Benchmarking
import OData
import OfflineOData
import OfflineStore
import Soups

/// What `$apply` costs over a soup of entries of 1 KB, against reading the entries, and how much memory it takes.
enum ODataApplyCells: CellSource {
    private static let backends = ["plain", "cipher"]
    private static let read = "read"
    private static let odata = "odata"

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        let entries = scope.profile.name == .smoke ? 2_000 : 100_000
        return [
            time(entries, "sum", "aggregate(Price with sum as Total)"),
            time(entries, "groups", "groupby((Level),aggregate(Price with sum as Total,$count as Number))"),
            memory(entries, "groups", "groupby((Level),aggregate(Price with sum as Total,$count as Number))"),
        ]
    }

    private static func time(_ entries: Int, _ kind: String, _ steps: String) -> Cell {
        Cell(
            "odata-soup-apply", ["entries": String(entries), "steps": kind], revision: 1,
            summary: "makes one result of each group of \(entries) entries of 1 KB, against reading them: \(kind)",
            arms: backends.flatMap { [Arm($0, read), Arm($0, odata)] },
            comparisons: backends.map { .init(Arm($0, read), Arm($0, odata), sameAnswer: false) }, primary: .cpu,
            pairs: 6, profile: .full, claims: []
        ) { arm, workplace in
            let subject = try filled(entries, arm, workplace)
            let isRead = arm.way == read
            return StoreSubject(subject.store, folder: subject.folder, markers: [ProductRows.marker]) { store, _ in
                if isRead {
                    _ = try readAll(store)
                } else {
                    _ = try results(steps, store)
                }
                return entries
            } answer: { store, digest in
                for row in try isRead ? [] : results(steps, store) {
                    digest.add(entry: row)
                }
            }
        }
    }

    private static func memory(_ entries: Int, _ kind: String, _ steps: String) -> Cell {
        let arms = backends.map { Arm($0) }
        return Cell(
            "odata-soup-apply-memory", ["entries": String(entries), "steps": kind], revision: 1,
            summary: "makes one result of each group of \(entries) entries of 1 KB: \(kind)",
            arms: arms, comparisons: [.init(arms[0], arms[1])], style: .once, primary: .memoryGrowth, pairs: 6,
            profile: .full, claims: []
        ) { arm, workplace in
            let subject = try filled(entries, arm, workplace)
            return StoreSubject(subject.store, folder: subject.folder, markers: [ProductRows.marker]) { store, _ in
                _ = try results(steps, store)
                return entries
            } answer: { store, digest in
                for row in try results(steps, store) {
                    digest.add(entry: row)
                }
            }.countingGrowth()
        }
    }

    private static func filled(
        _ entries: Int, _ arm: Arm, _ workplace: Workplace
    ) throws -> (store: SmartStore, folder: String) {
        let folder = try ODataSoupCells.filled(entries, arm, workplace)
        return (try StorageArm.open(arm, in: folder), folder)
    }

    private static func results(_ steps: String, _ store: SmartStore) throws -> [[UInt8]] {
        let query = try SoupQuery("$apply=" + steps, version: .v4)
        return try store.query(odata: query, in: ODataSoupCells.soup).page
    }

    /// Reads each entry, and returns the number of their bytes.
    private static func readAll(_ store: SmartStore) throws -> Int {
        try store.read { reader in
            var bytes = 0
            try reader.forEach(.all(), in: ODataSoupCells.soup) { entry in
                bytes += entry.withBytes(\.count)
                return .next
            }
            return bytes
        }
    }
}
