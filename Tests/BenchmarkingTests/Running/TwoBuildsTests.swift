import Soups
import TestSupport
import Testing

@testable import Benchmarking
@testable import SoupBenchmarks

/// How work is judged that only one of two builds can do, or that only one of them counts.
struct TwoBuildsTests {
    private static func lost(_ planned: PlannedCell, _ arm: Arm, _ note: String) -> Sample {
        PlantedSamples.remark(.unsupported, of: arm, planned.cell, note: note)
    }

    private static func outcome(_ rows: [SummaryRow]) -> BenchmarkRun.Outcome {
        var record = RunComparisonTests.record()
        record.faults = RunJudge.faults(in: rows)
        return BenchmarkRun.Outcome(
            record: record, rows: rows, samples: [], claims: ClaimsOutcome([], rows: [], samples: []), unsupported: [])
    }

    @Test func `work that this build lost makes the run invalid`() throws {
        let planned = try RunJudgeTests.planned()
        let samples =
            RunJudgeTests.samples(planned, pairs: 20).filter { $0.arm != .cipher } + [
                Self.lost(planned, .cipher, "no such module")
            ]
        let rows = RunJudge([planned], samples: samples).rows()
        let row = try #require(rows.first { $0.arm == .cipher })
        #expect(row.verdict == .invalid && row.reason == "cipher@old can do it, this build cannot: no such module")
        #expect(rows.contains { $0.arm == .plain && $0.verdict == .same } && Self.outcome(rows).conclusion == .notValid)
    }

    @Test func `work that only this build can do is named and where there is no other nothing was compared`() throws {
        let planned = try RunJudgeTests.planned()
        let here = RunJudgeTests.samples(planned, pairs: 20)
        let one = here.filter { $0.arm != "cipher@old" } + [Self.lost(planned, "cipher@old", "another definition")]
        let rows = RunJudge([planned], samples: one).rows()
        #expect(
            rows.contains {
                $0.arm == .cipher && $0.verdict == .inconclusive
                    && $0.reason == "cipher@old cannot do it: another definition"
            })
        #expect(Self.outcome(rows).conclusion == .measured)
        // It is not a row of the suite, and a second look could not give it a pair.
        let judge = RunJudge([planned], samples: one)
        #expect(
            judge.suite().map(\.rows) == [1, 1] && judge.suspects().undecided.isEmpty && judge.suspects().slower.isEmpty
        )
        let none =
            here.filter { $0.arm.build == nil }
            + ["plain@old", "cipher@old"].map { Self.lost(planned, $0, "another definition") }
        #expect(Self.outcome(RunJudge([planned], samples: none).rows()).conclusion == .incomparable)
        // What neither build can do is not a fault: SQLCipher is missing here.
        let plain =
            here.filter { $0.arm.work == .plain }
            + [.cipher, "cipher@old"].map { Self.lost(planned, $0, "no library") }
        let left = RunJudge([planned], samples: plain).rows()
        #expect(left.allSatisfy { $0.arm == .plain } && Self.outcome(left).conclusion == .measured)
    }

    @Test(arguments: [(0, 40, Verdict.slower), (40, 0, .faster), (0, 0, .same)])
    func `a counter that begins from nothing is more`(before: Int, after: Int, verdict: Verdict) throws {
        let planned = try RunJudgeTests.planned()
        let samples = RunJudgeTests.samples(planned, pairs: 20)
        let counted = samples.filter { $0.metric == .wall && $0.arm.work == .plain }.map { sample in
            var sample = sample
            (sample.content, sample.value) = (.metric(.cacheMisses), sample.arm.build == nil ? after : before)
            return sample
        }
        let rows = RunJudge([planned], samples: samples + counted).rows()
        let row = try #require(rows.first { $0.metric == .cacheMisses && $0.arm == .plain })
        let conclusion: BenchmarkRun.Conclusion = verdict == .slower ? .regression : .measured
        #expect(row.verdict == verdict && Self.outcome(rows).conclusion == conclusion)
        // The row is the same after writing and reading its file.
        let read = try SummaryFile.read(SummaryFile.write([row], run: "r"))
        #expect(read.first?.estimate == row.estimate && read.first?.verdict == verdict)
    }

    @Test func `back ends of which one counts nothing are not compared`() throws {
        let samples = CellJudgeTests.samples().map { sample in
            var sample = sample
            if sample.metric == .vmSteps, sample.arm == .plain {
                sample.value = 0
            }
            return sample
        }
        #expect(try CellJudgeTests.row(samples, .vmSteps).reason == "one of the arms counts nothing")
    }

    @Test func `the control judges the machine and not another build`() throws {
        let control = try #require(
            SoupCells().cells(CellScope(profile: Profile(.quick))).first { $0.workload == Control.workload })
        let planned = try #require(
            PlannedCell(control, profile: Profile(.quick)).beside(builds: ["old"], arms: [.plain, .cipher]))
        #expect(planned.arms == control.arms && planned.comparisons == control.comparisons)
    }

    /// Documents that are too short or too foreign to draw a text from: there is no marker to search for, but a
    /// readable header still shows it.
    @Test func `an encrypted arm proves itself also without a text to look for`() throws {
        let folder = try TemporaryFolder()
        let cell = Cell(
            "unmarked", revision: 1, summary: "", arms: [.plain, .cipher], comparisons: [.init(.plain, .cipher)],
            style: .once
        ) { _, workplace in
            let store = try StorageArm.open(.plain, in: workplace.folder)
            return StoreSubject(store, folder: workplace.folder, markers: []) { _, _ in
                1
            } answer: { _, _ in
            }
        }
        let planned = PlannedCell(cell, profile: Profile(.smoke))
        let rows = CellJudge(planned, samples: try SmokeRun.samples(planned, dataFolder: folder.path)).rows()
        #expect(
            rows.allSatisfy { $0.verdict == .invalid && $0.reason == "the files of cipher hold plain text" },
            "\(rows.map(\.reason))")
    }
}
