import Benchmarking
import OfflineStore
import Soups

/// Inserts the same entries with an index at their top level and with indexes deep inside them (PERF-19).
enum PathDepthCells: CellSource {
    private static let soup = "nested"
    private static let marker = Array("nested-bench-marker".utf8)
    private static let levels = 16

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return scope.sizes.map(cell)
    }

    private static func cell(_ entries: Int) -> Cell {
        Cell(
            "path-depth", ["entries": String(entries)], revision: 1,
            summary: "inserts entries nested \(levels) levels deep, with one index at level 1, 4 or \(levels)",
            arms: Arm.all("level-1", "level-4", "level-16"),
            comparisons: Cell.Comparison.ways("level-1", "level-4") + Cell.Comparison.ways("level-1", "level-16"),
            style: .once,
            pairs: entries > 1_000 ? 6 : 10, profile: .full,
            claims: Claim.onBackends(
                "PERF-19", "an index 16 levels deep costs inserts more processor time than one at the top", metric: .cpu
            ) {
                .slower(base: Arm($0, "level-1"), arm: Arm($0, "level-16"), atLeast: 1.05)
            }
        ) { arm, workplace in
            let level = arm.way.split(separator: "-").last.flatMap { Int($0) } ?? 1
            let path = String(repeating: "below.", count: level - 1) + "key"
            let store = try StorageArm.open(arm, in: workplace.folder)
            _ = try store.registerSoup(soup, indexSpecs: [.string(path)])
            return StoreSubject(store, folder: workplace.folder, markers: [marker]) { store, watch in
                for start in stride(from: 0, to: entries, by: StoreCorpus.batch) {
                    let batch = watch.pause { (start..<min(start + StoreCorpus.batch, entries)).map(entry) }
                    try store.upsert(batch, into: soup)
                }
                return entries
            } answer: { store, digest in
                digest.add(try store.count(.exact(path: path, matchKey: "key-7"), soup: soup))
                try StoreSubject.allEntries(of: soup, upTo: entries)(store, &digest)
            }
        }
    }

    /// Every level has the same key, so that all indexes hold the same values.
    private static func entry(_ number: Int) -> [UInt8] {
        var text = ""
        for _ in 1..<levels {
            text += #"{"key":"key-\#(number)","filler":"level by level","below":"#
        }
        text += #"{"key":"key-\#(number)","marker":""#
        return Array(text.utf8) + marker + Array((#""}"# + String(repeating: "}", count: levels - 1)).utf8)
    }
}
