import OfflineStore
import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// What makes a cell invalid, whatever its figures say.
struct CellJudgeTests {
    /// The processor time of a peer is in another process: asking it takes none here, which is not a ratio.
    @Test func `work in another process has no row of processor time`() throws {
        let cell = Cell.planted("peer")
        let planned = PlannedCell(cell, profile: Profile(.quick))
        var planted = PlantedSamples(cell, order: planned.arms)
        for block in 0..<10 {
            for (slot, arm) in planned.arms.enumerated() {
                planted.add(arm, block: block, slot: slot, .wall, 20_000_000)
                if arm == .plain {
                    planted.add(arm, block: block, slot: slot, .cpu, 20_000_000)
                }
            }
        }
        let rows = CellJudge(planned, samples: planted.samples).rows()
        #expect(!rows.isEmpty && rows.allSatisfy { $0.metric == .wall && $0.verdict == .same }, "\(rows.map(\.key))")
        var bench = ArmBench()
        let other = Cell("other", revision: 1, summary: "", arms: ["a"], comparisons: []) { _, _ in
            Computation(isInAnotherProcess: true) {
                1
            } answer: {
                $0.add(1)
            }
        }
        let workplace = Workplace(arm: "a", folder: "", templates: "", seed: 1)
        #expect(try bench.prepare(other, as: "a", workplace) == nil)
        #expect(try bench.run("a", quickly: true).map(\.metric) == [.wall])
    }

    static let cell = Cell.planted("planted", ["entries": "1000"])

    /// Ten blocks in which the cipher takes 1.5 times as long, with a little noise.
    static func samples() -> [Sample] {
        var planted = PlantedSamples(cell, order: [.plain, .cipher])
        for block in 0..<10 {
            for (slot, arm) in [Arm.plain, .cipher].enumerated() {
                let time = (arm == .plain ? 20_000_000 : 30_000_000) + block * 10_000
                planted.add(arm, block: block, slot: slot, .wall, 5 * time, isWarmUp: true, iterations: 10)
                planted.add(arm, block: block, slot: slot, .wall, time, iterations: 10)
                planted.add(arm, block: block, slot: slot, .vmSteps, 500, iterations: 10)
                planted.add(.marker, of: arm, block: block, slot: slot, arm == .plain ? 1 : 0)
            }
        }
        return planted.samples
    }

    static func row(_ samples: [Sample], _ metric: Metric = .wall) throws -> SummaryRow {
        let rows = CellJudge(PlannedCell(cell, profile: Profile(.quick)), samples: samples).rows()
        return try #require(rows.first { $0.metric == metric })
    }

    @Test func `sound samples give a ratio and a verdict`() throws {
        let row = try Self.row(Self.samples())
        #expect(row.verdict == .slower)
        let estimate = try #require(row.estimate)
        #expect(abs(estimate.ratio - 1.5) < 0.01 && estimate.pairs == 10)
        #expect(row.baseMedian == 2_004_500 && row.isDigestSame == true)
        let steps = try Self.row(Self.samples(), .vmSteps)
        #expect(steps.verdict == .same && steps.estimate?.ratio == 1)
    }

    @Test(arguments: 0..<10)
    func `one other answer in any block makes the cell invalid`(block: Int) throws {
        var samples = Self.samples()
        for index in samples.indices where samples[index].block == block && samples[index].arm == .cipher {
            samples[index].digest = "e"
        }
        let row = try Self.row(samples)
        #expect(
            row.verdict == .invalid && row.reason == "plain and cipher answer differently in block \(block)"
                && row.isDigestSame == false)
    }

    @Test func `plain text in the cipher's files makes the cell invalid`() throws {
        var samples = Self.samples()
        let index = try #require(samples.firstIndex { $0.arm == .cipher && $0.remark == .marker && $0.block == 4 })
        samples[index].value = 1
        #expect(try Self.row(samples).reason == "the files of cipher hold plain text")
        #expect(try Self.row(samples).verdict == .invalid)
    }

    @Test func `a plain arm without its documents makes the cell invalid`() throws {
        var samples = Self.samples()
        let index = try #require(samples.firstIndex { $0.arm == .plain && $0.remark == .marker })
        samples[index].value = 0
        #expect(try Self.row(samples).verdict == .invalid)
    }

    @Test func `a missing sample makes the cell invalid`() throws {
        let samples = Self.samples().filter {
            !($0.block == 7 && $0.arm == .cipher && $0.metric == .wall && !$0.isWarmUp)
                && !($0.block == 7 && $0.arm == .cipher)
        }
        #expect(try Self.row(samples).reason == "a sample is missing in block 7")
        let none = CellJudge(PlannedCell(Self.cell, profile: Profile(.quick)), samples: []).rows()
        #expect(none.map(\.verdict) == [.invalid])
    }

    @Test func `failed work makes the cell invalid and says why`() throws {
        var samples = Self.samples()
        samples.append(
            PlantedSamples.remark(.failed, of: .cipher, Self.cell, block: 9, note: "diskFull: no room"))
        #expect(try Self.row(samples).reason == "cipher failed: diskFull: no room")
    }

    @Test func `an arm that cannot do the work has no row`() {
        let samples = [
            PlantedSamples.remark(.unsupported, of: .cipher, Self.cell, note: "no SQLCipher 4 found")
        ]
        #expect(CellJudge(PlannedCell(Self.cell, profile: Profile(.quick)), samples: samples).rows().isEmpty)
    }

    @Test func `without anything to compare with a row says what the one arm took`() throws {
        var samples = Self.samples().filter { $0.arm == .plain }
        samples.append(
            PlantedSamples.remark(.unsupported, of: .cipher, Self.cell, note: "no SQLCipher 4 found"))
        let row = try Self.row(samples)
        #expect(row.baseArm == .plain && row.arm == .none && row.baseMedian == 2_004_500 && row.estimate == nil)
        #expect(row.verdict == .inconclusive && row.reason == "nothing to compare with" && row.isDigestSame == nil)
        let planned = PlannedCell(Self.cell, profile: Profile(.quick))
        let table = try #require(ComparisonTable.make([planned], rows: [row]))
        #expect(table.text.contains("2.00 ms") && table.text.contains("nothing to compare with"))
        // What makes a pair invalid also makes an arm without a partner invalid.
        let index = try #require(samples.firstIndex { $0.remark == .marker })
        samples[index].value = 0
        #expect(try Self.row(samples).reason == "the documents are not in the files of plain")
    }

    @Test(
        arguments: [(["SEARCH a", "SEARCH a"], true), (["SEARCH a", "SCAN a"], false), (["SEARCH a", nil], nil)]
            as [([String?], Bool?)])
    func `query plans of both arms are compared`(plans: [String?], isSame: Bool?) throws {
        var samples = Self.samples()
        for (arm, plan) in zip([Arm.plain, .cipher], plans) {
            var sample = try #require(samples.first { $0.arm == arm })
            guard let plan else { continue }
            (sample.content, sample.value, sample.note) = (.remark(.queryPlan), nil, plan)
            samples.append(sample)
        }
        #expect(try Self.row(samples).isPlanSame == isSame)
    }

    @Test func `two turns of one arm that answer differently make the cell invalid`() throws {
        var samples = Self.samples()
        var again = samples.filter { $0.block == 2 && $0.arm == .plain }
        for index in again.indices {
            again[index].digest = "other"
        }
        samples += again
        #expect(try Self.row(samples).reason == "plain and cipher answer differently in block 2")
    }

    @Test func `counters that do not repeat are inconclusive`() throws {
        var samples = Self.samples()
        let index = try #require(samples.firstIndex { $0.metric == .vmSteps && $0.block == 3 })
        samples[index].value = 501
        let row = try Self.row(samples, .vmSteps)
        #expect(row.verdict == .inconclusive && row.reason == "the counter is not the same in every block")
    }

    @Test func `control and null rows that move make the run invalid`() throws {
        var row = try Self.row(Self.samples())
        #expect(RunJudge.faults(in: [row]).isEmpty)
        row.arm = .plainAgain
        #expect(RunJudge.faults(in: [row]).first?.contains("the null row moved") == true)
        row.arm = .cipher
        row.workload = "control"
        #expect(RunJudge.faults(in: [row]).first?.contains("the control row moved") == true)
    }
}

struct ReadableHeaderTests {
    /// A store that was never encrypted, under the name of an arm that must be encrypted: its documents contain no
    /// marker, but its header shows it.
    @Test func `a readable header makes an encrypted arm invalid`() throws {
        let folder = try TemporaryFolder()
        let cell = Cell(
            "unkeyed", revision: 1, summary: "", arms: [.plain, .cipher], comparisons: [.init(.plain, .cipher)],
            style: .once
        ) { _, workplace in
            let store = try StorageArm.open(.plain, in: workplace.folder)
            _ = try store.registerSoup(StoreCorpus.soup, indexSpecs: [.string("key")])
            return StoreSubject(store, folder: workplace.folder, markers: [Array("CREATE TABLE nowhere".utf8)]) {
                _, _ in
                1
            } answer: { _, _ in
            }
        }
        let samples = try SmokeRun.samples(PlannedCell(cell, profile: Profile(.smoke)), dataFolder: folder.path)
        let markers = samples.filter { $0.remark == .marker }
        #expect(markers.map(\.value) == [0, 1] && markers.map(\.arm) == [.plain, .cipher], "\(samples.map(\.note))")
    }
}

/// One byte of one document differs on one arm, in a real store on a real disk.
struct FlippedByteTests {
    @Test(arguments: [nil, 0, 400, 900] as [Int?])
    func `one flipped byte in one store makes the cell invalid`(index: Int?) throws {
        let folder = try TemporaryFolder()
        let corpus = StoreCorpus(source: .generated(GeneratedCorpus(seed: 3)), count: 40)
        let cell = Cell(
            "flipped", corpus.parameters(), revision: 1, summary: "", arms: [.plain, .plainAgain],
            comparisons: [.init(.plain, .plainAgain)], style: .once
        ) { arm, workplace in
            let isSecond = workplace.folder.contains("plain-again")
            let store = try StorageArm.open(arm, in: workplace.folder)
            _ = try store.registerSoup(StoreCorpus.soup, indexSpecs: [.string("key")])
            return StoreSubject(store, folder: workplace.folder, markers: corpus.questions.markers) { store, _ in
                var done = 0
                try corpus.forEachBatch { batch in
                    var batch = batch
                    if isSecond, let index {
                        Self.flip(&batch[20], from: index)
                    }
                    done += try store.upsert(batch, into: StoreCorpus.soup).count
                }
                return done
            } answer: { store, digest in
                try StoreSubject.allEntries(of: StoreCorpus.soup, upTo: 40)(store, &digest)
            }
        }
        let planned = PlannedCell(cell, profile: Profile(.smoke))
        let rows = CellJudge(planned, samples: try SmokeRun.samples(planned, dataFolder: folder.path)).rows()
        let row = try #require(rows.first { $0.metric == .wall })
        if index == nil {
            #expect(row.verdict != .invalid && row.isDigestSame == true, "\(row.reason)")
        } else {
            #expect(row.verdict == .invalid && row.reason == "plain and plain-again answer differently in block 0")
        }
    }

    /// Changes one letter at or after an offset by one bit: the document stays valid.
    private static func flip(_ document: inout [UInt8], from start: Int) {
        var index = start
        while !(document[index] >= UInt8(ascii: "b") && document[index] <= UInt8(ascii: "y")) {
            index += 1
        }
        document[index] ^= 1
        if document[index] == UInt8(ascii: "a") - 1 {
            document[index] = UInt8(ascii: "c")
        }
    }
}
