import SQLiteAccess
import SmartSQL
import Soups
import TestSupport
import Testing

/// Checks how each kind of query runs on 100,000 entries: which index it uses, that it does not sort if an index has
/// the order, and in how many steps.
@Suite(.serialized) struct PlanTests {
    private static let count = 100_000

    private func sample(_ backEnd: BackEnd) throws -> SampleSoup {
        let sample = try SampleSoup(backEnd)
        try sample.fill(Self.count)
        return sample
    }

    private func plans(_ page: PageQuery.Page, _ sample: SampleSoup) throws -> [String] {
        try page.statements.map { try sample.plan($0.sql, bindings: $0.bindings + [.integer(100)]) }
    }

    /// The number of virtual machine steps of SQLite for a page, which does not depend on the time.
    private func steps(_ page: PageQuery.Page, _ sample: SampleSoup) throws -> (rows: [[SQLValue]], steps: Int) {
        var rows: [[SQLValue]] = []
        var steps = 0
        for bound in page.statements where rows.count < 100 {
            let statement = try sample.connection.statement(bound.sql)
            defer { statement.clear() }
            _ = statement.counters()
            for (index, value) in bound.bindings.enumerated() {
                try statement.bind(value, at: index + 1)
            }
            try statement.bind(integer: Int64(100 - rows.count), at: bound.bindings.count + 1)
            while try statement.step() {
                rows.append((0..<statement.columnCount).map { statement.value(at: $0) })
            }
            steps += statement.counters().machineSteps
        }
        return (rows, steps)
    }

    @Test(arguments: BackEnd.allCases) func `each kind is answered along its index in its order`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let sample = try sample(backEnd)
        let cases: [(QuerySpec, [String])] = [
            (.all(), ["SCAN TABLE_1"]),
            (.all(orderPath: "name"), ["SCAN TABLE_1 USING INDEX TABLE_1_0_idx"]),
            (.all(orderPath: "tag", order: .descending), ["SCAN TABLE_1 USING INDEX TABLE_1_2_idx"]),
            (.all(orderPath: "_soupLastModifiedDate"), ["SCAN TABLE_1 USING INDEX TABLE_1_lastModified_idx"]),
            (.all(orderPath: "name", selectPaths: ["name"]), ["SCAN TABLE_1 USING COVERING INDEX TABLE_1_0_idx"]),
            (.exact(path: "name", matchKey: "k000002"), ["SEARCH TABLE_1 USING INDEX TABLE_1_0_idx (TABLE_1_0=?)"]),
            (
                .exact(path: "name", matchKey: "k000002", orderPath: "name"),
                ["SEARCH TABLE_1 USING INDEX TABLE_1_0_idx (TABLE_1_0=?)"]
            ),
            (
                .exact(path: "tag", matchKey: 3, orderPath: "tag"),
                ["SEARCH TABLE_1 USING INDEX TABLE_1_2_idx (<expr>=?)"]
            ),
            (
                .exact(path: "tag", matchKey: "3", orderPath: "tag"),
                Array(repeating: "SEARCH TABLE_1 USING INDEX TABLE_1_2_idx (<expr>=?)", count: 2)
            ),
            (.exact(path: "_soupEntryId", matchKey: 3), ["SEARCH TABLE_1 USING INTEGER PRIMARY KEY (rowid=?)"]),
            (
                .range(path: "name", from: "k1", through: "k2", orderPath: "name"),
                ["SEARCH TABLE_1 USING INDEX TABLE_1_0_idx (TABLE_1_0>? AND TABLE_1_0<?)"]
            ),
            (
                .range(path: "rank", from: 7, orderPath: "rank", order: .descending),
                ["SEARCH TABLE_1 USING INDEX TABLE_1_1_idx (TABLE_1_1>?)"]
            ),
            (
                .range(path: "_soupCreatedDate", from: 7, orderPath: "_soupCreatedDate"),
                ["SEARCH TABLE_1 USING INDEX TABLE_1_created_idx (created>?)"]
            ),
            (.like(path: "name", likeKey: "%1", orderPath: "name"), ["SCAN TABLE_1 USING INDEX TABLE_1_0_idx"]),
            (
                .like(path: "name", likeKey: "k0001%", orderPath: "name"),
                Array(repeating: "SEARCH TABLE_1 USING INDEX TABLE_1_0_idx (TABLE_1_0>? AND TABLE_1_0<?)", count: 2)
            ),
            (
                .like(path: "name", likeKey: "kxyz%", orderPath: "name"),
                Array(repeating: "SEARCH TABLE_1 USING INDEX TABLE_1_0_idx (TABLE_1_0>? AND TABLE_1_0<?)", count: 8)
            ),
            (
                .like(path: "tag", likeKey: "t1%", orderPath: "tag"),
                Array(repeating: "SEARCH TABLE_1 USING INDEX TABLE_1_2_idx (<expr>>? AND <expr><?)", count: 2)
            ),
            // A text that starts with a digit may be a number, which has another position in the index.
            (.like(path: "tag", likeKey: "1%", orderPath: "tag"), ["SCAN TABLE_1 USING INDEX TABLE_1_2_idx"]),
        ]
        for (spec, wanted) in cases {
            #expect(
                try plans(PageQuery(spec, soup: sample.soup).firstPage, sample) == wanted,
                "\(spec.kind) \(spec.indexPath ?? "-") by \(spec.orderPath ?? "-")")
        }
        for key in ["k0001%", "kxyz%"] {
            let unordered = try plans(PageQuery(.like(path: "name", likeKey: key), soup: sample.soup).firstPage, sample)
            #expect(
                unordered.allSatisfy {
                    $0.contains("SEARCH TABLE_1 USING COVERING INDEX TABLE_1_0_idx") && !$0.contains("SCAN")
                        && !$0.contains("TEMP B-TREE")
                })
            let byDate = try plans(
                PageQuery(.like(path: "name", likeKey: key, orderPath: "_soupCreatedDate"), soup: sample.soup)
                    .firstPage, sample)
            #expect(
                byDate.allSatisfy {
                    $0.contains("SEARCH TABLE_1 USING COVERING INDEX TABLE_1_0_idx") && !$0.contains("SCAN")
                })
        }
        let count = try PageQuery(.like(path: "name", likeKey: "k0001%"), soup: sample.soup).count
        let plan = try sample.plan(count.sql, bindings: count.bindings)
        #expect(plan.contains("SEARCH TABLE_1 USING COVERING INDEX") && !plan.contains("SCAN TABLE_1"))
    }

    @Test(arguments: BackEnd.allCases) func `a match query walks its full text table and fetches the page only`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let sample = try sample(backEnd)
        let byId = try PageQuery(.match(path: "text", matchKey: "common"), soup: sample.soup)
        let position = PageQuery.Position(key: .integer(100), id: 100)
        for page in [byId.firstPage, byId.page(after: position)] {
            #expect(
                try plans(page, sample).allSatisfy {
                    $0.hasPrefix("SCAN TABLE_1_fts VIRTUAL TABLE INDEX 64:")
                        && $0.hasSuffix(" | SEARCH TABLE_1 USING INTEGER PRIMARY KEY (rowid=?)")
                })
        }
        for page in [byId.page(before: nil), byId.page(before: position)] {
            #expect(try plans(page, sample).allSatisfy { $0.hasPrefix("SCAN TABLE_1_fts VIRTUAL TABLE INDEX 192:") })
        }
        #expect(try steps(byId.firstPage, sample).steps < 3000)
        #expect(try steps(byId.page(after: position), sample).steps < 3000)
        #expect(try steps(byId.page(before: nil), sample).steps < 3000)
        let jump = try plans(byId.page(at: 5000), sample).joined()
        #expect(
            jump.contains("SCAN TABLE_1_fts VIRTUAL TABLE") && jump.contains("SEARCH TABLE_1 USING INTEGER PRIMARY KEY")
        )
        for whole in [byId.count, byId.ids] {
            let plan = try sample.plan(whole.sql, bindings: whole.bindings)
            #expect(plan.hasPrefix("SCAN TABLE_1_fts VIRTUAL TABLE") && !plan.contains("TABLE_1 "))
        }
    }

    @Test func `a full text table of one column is searched without a filter of columns`() throws {
        func text(_ paths: [String]) throws -> SQLValue? {
            let soup = RegisteredSoup(
                spec: SoupSpec(name: "people"), id: 1,
                indexSpecs: paths.enumerated().map {
                    IndexSpec(path: $1, type: .fullText, columnName: "TABLE_1_\($0)")
                }, fullTextVersion: .fts5)
            let spec = QuerySpec.match(path: "a", matchKey: "common NOT {people:a}:rare")
            return try PageQuery(spec, soup: soup).count.bindings.first
        }
        #expect(try text(["a"]) == .text(Array("\"common\" NOT \"rare\"".utf8)))
        #expect(try text(["a", "b"]) == .text(Array("TABLE_1_0 : \"common\" NOT TABLE_1_0 : \"rare\"".utf8)))
    }

    @Test(arguments: BackEnd.allCases) func `the order of a match query is walked or sorted by the number of matches`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let sample = try sample(backEnd)
        func query(_ word: String, by path: String = "name") throws -> PageQuery {
            try PageQuery(.match(path: "text", matchKey: word, orderPath: path), soup: sample.soup)
        }
        #expect(try query("common").isPlannedByCount)
        #expect(try !query("common", by: "_soupEntryId").isPlannedByCount)
        let entries = try #require(try sample.rows(query("common").entriesAtMost).first).id
        #expect(entries == Int64(Self.count))

        let common = try query("common").planned(matches: 90_000, entries: entries)
        #expect(common.walksOrder)
        let walk = try plans(common.firstPage, sample)
        #expect(
            walk.allSatisfy {
                $0.hasPrefix("SCAN TABLE_1 USING INDEX TABLE_1_0_idx") && $0.contains("SCAN TABLE_1_fts")
                    && !$0.contains("TEMP B-TREE")
            })
        let rare = try query("rare").planned(matches: 10_000, entries: entries)
        #expect(!rare.walksOrder)
        let sort = try plans(rare.firstPage, sample)
        #expect(
            sort.allSatisfy {
                $0.contains("SEARCH TABLE_1 USING INTEGER PRIMARY KEY (rowid=?)") && $0.contains("SCAN TABLE_1_fts")
                    && $0.contains("TEMP B-TREE") && !$0.contains("SCAN TABLE_1 ")
            })
        // Both give the same rows, here and after any position.
        let sorted = try query("common").planned(matches: 1, entries: entries)
        var position: PageQuery.Position?
        for _ in 0..<3 {
            let rows = try sample.rows(common.page(after: position), size: 100)
            #expect(try sample.rows(sorted.page(after: position), size: 100) == rows && rows.count == 100)
            position = rows.last.map { PageQuery.Position(key: $0[1], id: $0.id) }
        }
        // Small soups are sorted, and so is what has no index.
        #expect(try !query("common").planned(matches: 999, entries: 999).walksOrder)
        let unindexed = try PageQuery(
            .match(path: "text", matchKey: "common", orderPath: "free"), soup: sample.soup, permissive: true)
        #expect(!unindexed.isPlannedByCount)
    }

    @Test(arguments: BackEnd.allCases) func `a match query on FTS4 keeps its list of ids`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let sample = try SampleSoup(backEnd, fullText: .fts4)
        let query = try PageQuery(.match(path: "text", matchKey: "common"), soup: sample.soup)
        #expect(!query.isPlannedByCount)
        #expect(
            try plans(query.firstPage, sample).allSatisfy {
                $0.hasPrefix("SEARCH TABLE_1 USING INTEGER PRIMARY KEY (rowid=?)") && !$0.contains("TEMP B-TREE")
            })
    }

    /// If an index is dropped without the store, the plan shows a scan, so these tests would fail.
    @Test(arguments: BackEnd.allCases) func `a dropped index shows as a scan`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let sample = try SampleSoup(backEnd)
        try sample.connection.execute("DROP INDEX TABLE_1_0_idx")
        #expect(
            try plans(PageQuery(.exact(path: "name", matchKey: "a"), soup: sample.soup).firstPage, sample) == [
                "SCAN TABLE_1"
            ])
    }

    @Test(arguments: [BackEnd.plain, .cipher]) func `a page costs the same wherever it is`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let sample = try sample(backEnd)
        try sample.connection.execute("UPDATE TABLE_1 SET TABLE_1_3 = 'same'")
        let specs: [(String, QuerySpec)] = [
            ("distinct keys", .all(orderPath: "name", pageSize: 100)),
            ("one equal key", .all(orderPath: "text", pageSize: 100)),
            ("half NULL", .all(orderPath: "rank", pageSize: 100)),
            ("half NULL, backwards", .all(orderPath: "rank", order: .descending, pageSize: 100)),
            ("json1", .all(orderPath: "tag", pageSize: 100)),
            ("a range", .range(path: "name", from: "K000100", through: "k099000", orderPath: "name")),
            ("a prefix", .like(path: "name", likeKey: "k0%", orderPath: "name")), ("by id", .all()),
        ]
        for (name, spec) in specs {
            let query = try PageQuery(spec, soup: sample.soup)
            let first = try steps(query.firstPage, sample).steps
            var position: PageQuery.Position?
            var most = 0
            var seen = 0
            while true {
                let page = try steps(query.page(after: position), sample)
                seen += page.rows.count
                guard let last = page.rows.last, page.rows.count == 100 else { break }
                most = max(most, page.steps)
                position = PageQuery.Position(key: last[1], id: last.id)
            }
            #expect(seen > 90_000, "\(name)")
            #expect(most <= first * 2 + 200, "\(name): the first page takes \(first) steps, the costliest \(most)")
        }
    }
}
