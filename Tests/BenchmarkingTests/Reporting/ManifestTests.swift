import JSONText
import Soups
import TestSupport
import Testing

@testable import Benchmarking

/// The plan of a run, what was measured of it, and the costs of cells that accepted reports give.
struct ManifestTests {
    private static let plan = ShardPlan(
        undivided: ShardPlanTests.cells(["a"]), costs: ShardPlanTests.costs([("a", 0.25)]))

    /// Whole blocks of a cell; each took half a second.
    static func blocks(
        _ cell: String, _ numbers: Range<Int>, _ look: Sample.Look = .first, shard: Shard = .whole
    ) -> [Sample] {
        var planted = PlantedSamples(.planted(cell), look: look, shard: shard, order: [.plain])
        for number in numbers {
            planted.add(.plain, block: number, .wall, 1_000)
            planted.add(.blockTime, of: .none, block: number, 500_000_000)
        }
        return planted.samples
    }

    @Test func `it comes back from its file`() throws {
        let manifest = Manifest(Self.plan).delivered(
            FinishedBlocks(Self.blocks("a", 0..<7) + Self.blocks("a", 1_000..<1_002, .second)), by: .whole)
        #expect(try ManifestFile.read(ManifestFile.write(manifest, run: "r")) == manifest)
        let row = try #require(manifest.rows.first { $0.cellID == "a" })
        #expect(
            row.plannedPairs == 10 && row.expectedSeconds == 2.5 && row.deliveredPairs == 7 && row.secondPairs == 2
                && row.seconds == 4.5)
        let untouched = try #require(manifest.rows.first { $0.cellID == "null" })
        #expect(untouched.deliveredPairs == 0 && untouched.seconds == nil)
        #expect(
            String(decoding: ManifestFile.write(manifest, run: "r"), as: UTF8.self).contains(
                ",a,\(row.version),1/1,plain cipher,10,2.5,7,2,4.5,\n"))
    }

    @Test func `the peak memory of a cell is the most of its whole blocks`() throws {
        var planted = PlantedSamples(.planted("a"), order: [.plain])
        for (number, bytes) in [3_000_000, 7_000_000, 5_000_000, 9_000_000].enumerated() {
            planted.add(.plain, block: number, .wall, 1_000)
            planted.add(.workerMemory, of: .plain, block: number, bytes)
            // Another build has a process of its own.
            planted.add(.workerMemory, of: "plain@old", block: number, 90_000_000)
            // The last block was interrupted.
            if number < 3 {
                planted.add(.blockTime, of: .none, block: number, 500_000_000)
            }
        }
        let manifest = Manifest(Self.plan).delivered(FinishedBlocks(planted.samples), by: .whole)
        let row = try #require(manifest.rows.first { $0.cellID == "a" })
        #expect(row.peakMemory == 7_000_000 && row.deliveredPairs == 3)
        let text = String(decoding: ManifestFile.write(manifest, run: "r"), as: UTF8.self)
        #expect(text.contains(",peak_memory_bytes\n") && text.contains(",7000000\n"))
        #expect(try ManifestFile.read(Array(text.utf8)) == manifest)
        // A file from before the column is read too.
        let old = text.replacing(",peak_memory_bytes\n", with: "\n").replacing(",7000000\n", with: "\n").replacing(
            ",\n", with: "\n")
        #expect(try ManifestFile.read(Array(old.utf8)).rows.allSatisfy { $0.peakMemory == nil })
    }

    @Test func `a block without its last sample is not whole`() {
        let torn = Self.blocks("a", 0..<3).dropLast()
        let blocks = FinishedBlocks(Array(torn))
        #expect(blocks.count("a", .first) == 2 && blocks.samples.count == 4 && blocks.seconds == 1)
        #expect(blocks.contains("a", .first, 1, of: .whole) && !blocks.contains("a", .first, 2, of: .whole))
        #expect(!blocks.contains("a", .second, 1, of: .whole) && !blocks.contains("b", .first, 1, of: .whole))
        #expect(FinishedBlocks(Self.blocks("a", 0..<3) + Self.blocks("a", 1..<2)).doubled.map(\.number) == [1])
    }

    @Test(arguments: [
        ("1/1", "3/2"), (",10,", ",,"), (",10,", ",ten,"), (",10,", ",-1,"), (SchemaVersion.current, "2.0.0"),
        ("cell_id", "cell"),
    ])
    func `a broken file is refused`(part: String, other: String) {
        let text = String(decoding: ManifestFile.write(Manifest(Self.plan), run: "r"), as: UTF8.self)
        #expect(text.contains(part))
        #expect(throws: Fault.self) { try ManifestFile.read(Array(text.replacing(part, with: other).utf8)) }
    }

    @Test func `plans differ by cells pairs shards arms and definitions and not by what was measured`() {
        let manifest = Manifest(Self.plan)
        #expect(
            manifest.differences(from: manifest.delivered(FinishedBlocks(Self.blocks("a", 0..<7)), by: .whole)).isEmpty)
        #expect(manifest.differences(from: Manifest(ShardPlan(undivided: ShardPlanTests.cells(["a"])))).isEmpty)
        #expect(manifest.differences(from: Manifest(ShardPlan(undivided: ShardPlanTests.cells(["a", "b"])))) == ["b"])
        let changes: [(inout Manifest.Row) -> Void] = [
            { $0.plannedPairs = 9 }, { $0.version = "w" }, { $0.arms = [.plain] },
            { $0.shard = Shard(1, of: 2) ?? .whole },
        ]
        for change in changes {
            var other = manifest
            change(&other.rows[2])
            #expect(manifest.differences(from: other) == ["a"])
        }
    }

    /// A run is accepted and then gives the costs of the next one.
    @Test func `accepted reports are the cost table`() throws {
        let folder = try TemporaryFolder()
        let reports = folder.file("Reports")
        #expect(try CostTable.stored(in: reports).isEmpty)
        let old = RunFolder(path: folder.file("old"))
        let run = RunFolder(path: folder.file("run"))
        // A report from before manifests existed gives no costs, and is not an error.
        try old.begin()
        try old.finish(
            RunComparisonTests.record(), rows: [], samples: [], claims: ClaimsOutcome([], rows: [], samples: []))
        try Baselines(folder: reports).accept(old)
        #expect(try CostTable.stored(in: reports).isEmpty)
        try run.begin()
        let record = RunComparisonTests.record(fingerprint: "g")
        try run.write(record, Manifest(Self.plan).delivered(FinishedBlocks(Self.blocks("a", 0..<7)), by: .whole))
        try run.finish(record, rows: [], samples: [], claims: ClaimsOutcome([], rows: [], samples: []))
        try Baselines(folder: reports).accept(run)
        let costs = try CostTable.stored(in: reports)
        #expect(
            costs.measured("a")?.seconds == 0.5
                && costs.measured("a")?.source == .init(runID: "run", machine: "an unknown processor")
                && costs.measured("null") == nil)
        try RunFolder(path: reports + "/g/run").write(Array("broken".utf8), to: "manifest.csv")
        #expect(throws: Fault.self) { try CostTable.stored(in: reports) }
    }

    @Test func `a shard is no baseline`() throws {
        let folder = try TemporaryFolder()
        let run = RunFolder(path: folder.file("run"))
        try run.begin()
        let record = RunComparisonTests.record(shard: Shard(1, of: 2) ?? .whole)
        let text = String(decoding: record.json.bytes(.pretty), as: UTF8.self)
        #expect(try RunRecord(json: Array(text.utf8)).shard.description == "1/2")
        #expect(
            try RunRecord(json: Array(text.replacing("\"shard\": \"1/2\",", with: "").utf8)).shard == .whole,
            "as runs were before there were shards")
        #expect(throws: Fault.self) { try RunRecord(json: Array(text.replacing("1/2", with: "3/2").utf8)) }
        try run.finish(record, rows: [], samples: [], claims: ClaimsOutcome([], rows: [], samples: []))
        let fault = #expect(throws: Fault.self) { try Baselines(folder: folder.file("Reports")).accept(run) }
        #expect(fault?.message.contains("shard 1/2") == true)
    }
}
