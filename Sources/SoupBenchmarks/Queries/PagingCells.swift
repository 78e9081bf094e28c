import Benchmarking
import OfflineStore
import Soups

/// Reads all pages of a soup: by continuing from the keys of the last page, and by counting from the first entry.
enum PagingCells: CellSource {
    private static let soup = "pages"
    private static let marker = Array("page-bench-marker".utf8)

    static func cells(_ scope: CellScope) -> [Cell] {
        guard scope.documents == nil else {
            return []
        }
        return scope.sizes.flatMap { size in
            [("distinct", "key"), ("one-key", "same"), ("half-null", "half")].map { all(size, keys: $0, path: $1) } + [
                pageSize(size)
            ]
        }
    }

    private static func all(_ entries: Int, keys: String, path: String) -> Cell {
        Cell(
            "all-pages", ["entries": String(entries), "keys": keys], revision: 1,
            summary: "reads all pages of 100 entries in order, by key and by offset; values of the key: \(keys)",
            arms: Arm.backends.flatMap { [Arm($0 + "/by-key"), Arm($0 + "/by-offset")] },
            comparisons: Arm.backends.map { .init(Arm($0 + "/by-key"), Arm($0 + "/by-offset")) },
            pairs: entries >= 100_000 ? 6 : 8,
            claims: Arm.backends.map { backend in
                Claim(
                    "FLOOR-page-growth", "the time of an entry does not depend on the number of pages before it",
                    backend: backend, .growth(arm: Arm(backend + "/by-key"), -1...0.1))
            }
                + (entries >= 100_000
                    ? [
                        Claim(
                            "FLOOR-all-pages", "all pages by key are at least 8 times faster than by offset",
                            backend: "plain", .slower(base: "plain/by-key", arm: "plain/by-offset", atLeast: 8))
                    ]
                    : [])
        ) { arm, workplace in
            let byKey = arm.work.name.hasSuffix("/by-key")
            return try reading(
                arm, workplace, entries, .all(orderPath: path, pageSize: 100), limit: entries, byKey: byKey)
        }
    }

    private static func pageSize(_ entries: Int) -> Cell {
        Cell(
            "page-size", ["entries": String(entries)], revision: 2,
            summary: "reads 300 entries in order, by pages of 1, 10, 30 and 100",
            arms: Arm.all("size-1", "size-10", "size-30", "size-100"),
            comparisons: ["size-10", "size-30", "size-100"].flatMap { Cell.Comparison.ways("size-1", $0) }
                + Cell.Comparison.ways("size-30", "size-100"),
            claims: Claim.onBackends(
                "PERF-18", "entries cost less by pages of two or three screens (30) than one by one"
            ) {
                .ratio(base: Arm($0, "size-1"), arm: Arm($0, "size-30"), atMost: 0.95)
            }
                + Claim.onBackends(
                    "PERF-18", "larger pages (100) than two or three screens (30) save less than a third more"
                ) {
                    .slower(base: Arm($0, "size-30"), arm: Arm($0, "size-100"), atLeast: 0.67)
                }
        ) { arm, workplace in
            let size = Int(arm.way.split(separator: "-").last ?? "") ?? 1
            return try reading(
                arm, workplace, entries, .all(orderPath: "key", pageSize: size), limit: min(300, entries), byKey: true)
        }
    }

    private static func reading(
        _ arm: Arm, _ workplace: Workplace, _ entries: Int, _ spec: QuerySpec, limit: Int, byKey: Bool
    ) throws -> any Subject {
        let folder = try workplace.template("pages-\(entries)") { try fill($0, arm, entries) }
        /// Reads pages until there are enough entries; returns how many were read.
        func walk(_ store: SmartStore, _ visit: (StorePage) -> Void) throws -> Int {
            let cursor = try store.query(spec, soup: soup)
            var page = cursor.currentPage
            var count = 0
            while true {
                visit(page)
                count += page.count
                guard count < limit, page.count == spec.pageSize, cursor.hasNextPage else {
                    break
                }
                page = byKey ? try cursor.moveToNextPage() : try cursor.moveToPage(page.index + 1)
            }
            return count
        }
        var bytes = 0
        return StoreSubject(try StorageArm.open(arm, in: folder), folder: folder, markers: [marker]) { store, _ in
            bytes = 0
            return try walk(store) { page in
                for entry in page.entries {
                    bytes += entry.count
                }
            }
        } answer: { store, digest in
            digest.add(bytes)
            // The same walk again: every entry, in order.
            _ = try walk(store) { page in
                for entry in page.entries {
                    digest.add(entry: Array(entry))
                }
            }
        }
    }

    private static func fill(_ folder: String, _ arm: Arm, _ entries: Int) throws {
        let store = try StorageArm.open(arm, in: folder)
        _ = try store.registerSoup(soup, indexSpecs: [.string("key"), .string("same"), .integer("half")])
        let body = String(repeating: "page after page ", count: 12)
        for start in stride(from: 0, to: entries, by: StoreCorpus.batch) {
            let batch = (start..<min(start + StoreCorpus.batch, entries)).map { number in
                let half = number % 2 == 0 ? "" : #""half":\#(number),"#
                return Array(
                    #"{"key":"\#(GeneratedCorpus(seed: 1).key(of: number))","same":"x",\#(half)"body":"\#(body)","marker":""#
                        .utf8) + marker + Array(#""}"#.utf8)
            }
            try store.upsert(batch, into: soup)
        }
        try store.close()
    }
}
