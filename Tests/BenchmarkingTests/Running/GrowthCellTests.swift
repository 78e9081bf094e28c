import JSONText
import OfflineStore
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// Cells that show how work grows, and how long reads take while another thread writes.
struct GrowthCellTests {
    private static let works = ["upsert", "retrieve", "exact", "range-page", "match", "match-first"]

    private func cells(_ scope: CellScope) -> [Cell] {
        SoupCells().cells(scope).filter { $0.workload == "growth" }
    }

    @Test func `six kinds of work are measured in a soup and in one a hundred times larger`() throws {
        let cells = cells(CellScope(profile: Profile(.full)))
        #expect(cells.map(\.parameterText) == Self.works.map { "from=1000;to=100000;work=\($0)" })
        for (cell, work) in zip(cells, Self.works) {
            #expect(cell.comparisons.count == (work == "upsert" ? 6 : 2))
            #expect(cell.claims.count == 2 && !cell.isInQuickProfile)
        }
    }

    @Test func `a size of a million is the larger soup`() throws {
        let cells = cells(CellScope(profile: Profile(.full), sizes: [1_000_000]))
        let works = Self.works + ["match-first-calls"]
        #expect(cells.map(\.parameterText) == works.map { "from=1000;to=1000000;work=\($0)" })
    }

    @Test(arguments: ["small", "small-floor", "large", "large-floor"]) func `inserts continue the ids of the soup`(
        way: String
    ) throws {
        let folder = try TemporaryFolder()
        let cell = try #require(
            cells(CellScope(profile: Profile(.smoke))).first { $0.parameterText.contains("upsert") })
        let arm = Arm("plain", way)
        try Folders.make(folder.file("block"))
        let subject = try cell.prepare(
            arm, Workplace(arm: arm, folder: folder.file("block"), templates: folder.file("templates"), seed: 1))
        #expect(try subject.run(Stopwatch()) == 200)
        var digest = ContentDigest()
        try subject.digest(into: &digest)
        try subject.close()
        let before = way.hasPrefix("large") ? 80 : 20
        let store = try StorageArm.open(arm, in: folder.file("block/growth-\(before)-values"))
        let soup = StoreCorpus.soup
        let entries = try store.query(.all(pageSize: 1_000), soup: soup).currentPage.entries
        #expect(entries.count == before + 200)
        let added = try entries.map { try JSONValue(parsing: Array($0)) }.suffix(200)
        #expect(added.map { $0["_soupEntryId"]?.int64 } == (1...200).map { Int64(before + $0) })
        // Each is found by its key, so its index was written too.
        for entry in added {
            let key = try #require(entry["key"]?.string)
            #expect(try store.count(.exact(path: "key", matchKey: .string(key)), soup: soup) == 1)
        }
        try store.close()
    }

    /// From 1.6 to 2.4 times for a hundred times the entries: the exponent grew by 0.09.
    @Test func `an exponent that grew is red when it is confirmed`() {
        func report(_ id: String, _ ratio: Double) -> StoredReport {
            var row = RunComparisonTests.row(.wall, ratio: ratio)
            (row.cellID, row.baseArm, row.arm) = ("growth/work=exact", Arm("plain", "small"), Arm("plain", "large"))
            return StoredReport(
                record: RunComparisonTests.record(id: id, cells: [("growth/work=exact", "v")]), rows: [row])
        }
        func outcome(_ ratio: Double) -> CheckOutcome {
            let stored = report("stored", 1.6)
            let first = RunComparison(new: report("new", ratio), stored: stored)
            let second = RunComparison(new: report("again", ratio), stored: stored)
            return CheckOutcome(first, confirmedBy: second, faults: [], isStrict: false)
        }
        #expect(outcome(2.4) == .regression)
        #expect(outcome(1.62) == .nothingSlower)
    }

    @Test(arguments: ["alone", "while-writing"]) func `every read is timed and the answer is the same`(
        way: String
    ) throws {
        let folder = try TemporaryFolder()
        let cell = try #require(
            SoupCells().cells(CellScope(profile: Profile(.smoke), sizes: [60])).first {
                $0.workload == "read-while-writing"
            })
        let arm = Arm("plain", way)
        try Folders.make(folder.file("block"))
        let subject = try cell.prepare(
            arm, Workplace(arm: arm, folder: folder.file("block"), templates: folder.file("templates"), seed: 1))
        #expect(try subject.counters().isEmpty)
        #expect(try subject.run(Stopwatch()) == 50)
        let counters = try subject.counters()
        #expect(counters.map(\.0) == [.readP50, .readP95, .readP99, .readMax])
        #expect(counters.map(\.1) == counters.map(\.1).sorted() && counters.allSatisfy { $0.1 > 0 })
        #expect(counters.allSatisfy { $0.0.unit == "ns" && !$0.0.isExact })
        var digest = ContentDigest()
        try subject.digest(into: &digest)
        try subject.close()
        // What is written does not change what is read.
        let store = try StorageArm.open(arm, in: folder.file("block/filled-60"))
        let ids = StoreCorpus(source: .generated(GeneratedCorpus(seed: 1)), count: 60).ids(50, seed: 1)
        var expected = ContentDigest()
        for id in ids {
            expected.add(entry: try #require(try store.retrieve(id: id, from: StoreCorpus.soup)))
        }
        #expect(digest.hex == expected.hex)
        let count = try store.count(.all(), soup: StoreCorpus.soup)
        #expect(way == "alone" ? count == 60 : count > 60)
        try store.close()
    }
}
