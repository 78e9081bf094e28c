import JSONText
import Soups
import TestSupport
import Testing

@testable import Benchmarking

/// The last lines of a red run or check: they name what made it red, counters too, which no table of ratios shows.
struct DecidingRowTests {
    /// A counter of two builds: 1,000 steps before, `steps` now.
    private static func row(_ metric: Metric = .vmSteps, before: Double = 1_000, now: Double) -> SummaryRow {
        let change = RatioEstimate.exact(before: before, after: now)
        return SummaryRow(
            cellID: "work/entries=10", workload: "work", parameters: "entries=10", metric: metric,
            baseArm: "cipher@old", arm: .cipher, baseMedian: before, armMedian: now, estimate: change,
            margin: metric.margin(smallest: before), verdict: Verdict(change, margin: metric.margin(smallest: before)),
            version: "v")
    }

    private static func outcome(_ rows: [SummaryRow]) -> BenchmarkRun.Outcome {
        BenchmarkRun.Outcome(
            record: RunComparisonTests.record(), rows: rows, samples: [],
            claims: ClaimsOutcome([], rows: [], samples: []), unsupported: [])
    }

    @Test func `a run ends with the counters that made it red`() {
        let rows = [
            Self.row(now: 1_090), Self.row(.fileBytes, before: 4_096_000, now: 4_096_512), Self.row(.rows, now: 1_000),
        ]
        let outcome = Self.outcome(rows)
        #expect(outcome.conclusion == .regression)
        let text = RunText.make([], outcome, folder: "runs/new")
        #expect(
            text.hasSuffix(
                """

                red: work/entries=10, vm_steps of cipher: 1000 in cipher@old, 1090 here (1.09 times)
                red: work/entries=10, file_bytes of cipher: 4096000 in cipher@old, 4096512 here (1.0001 times)

                """), "\(text)")
        #expect(RunFormat.markdown.make([], outcome, folder: "", catalogue: NoCells()).contains("vm_steps of cipher"))
    }

    @Test func `a ratio of the clock and the suite as a whole are named too`() {
        var clock = Self.row(.wall, before: 2_000_000, now: 3_000_000)
        clock.estimate = RatioEstimate(ratio: 1.5, interval: .init(low: 1.4, high: 1.6, level: 0.95), pairs: 30)
        clock.verdict = .slower
        #expect(
            DecidingRows.lines([clock])
                == ["red: work/entries=10, wall of cipher: 2.00 ms in cipher@old, 3.00 ms here, 1.50 [1.40, 1.60]"])
        let estimate = RatioEstimate(ratio: 1.2, interval: .init(low: 1.1, high: 1.3, level: 0.95), pairs: 10)
        let suite = SuiteVerdict(what: "wall against old", rows: 30, estimate: estimate)
        #expect(DecidingRows.lines([suite]) == ["red: the suite as a whole, wall against old: 1.200 [1.100, 1.300]"])
        let few = SuiteVerdict(what: "wall against old", rows: 3, estimate: estimate)
        #expect(DecidingRows.lines([few]).isEmpty)
    }

    @Test func `a run that is not red names nothing`() {
        // What a cipher costs is a finding, and less work is none to look into.
        var cost = Self.row(now: 1_090)
        (cost.baseArm, cost.arm) = (.plain, .cipher)
        for rows in [[], [Self.row(now: 1_000)], [Self.row(now: 910)], [cost]] {
            #expect(DecidingRows.lines(rows).isEmpty)
            #expect(!RunText.make([], Self.outcome(rows), folder: "runs/new").contains("red:"))
        }
    }

    @Test func `a counter that was nothing before has no quotient`() {
        #expect(
            DecidingRows.lines([Self.row(.cacheMisses, before: 0, now: 40)])
                == ["red: work/entries=10, cache_misses of cipher: 0 in cipher@old, 40 here"])
    }

    @Test(.enabled(if: SoupProgram.exists, "the program soup was not built"), arguments: ["text", "csv"])
    func `a check ends with the counters that made it red`(format: String) throws {
        let folder = try TemporaryFolder()
        func write(_ id: String, steps: Double) throws -> String {
            let run = RunFolder(path: folder.file(id))
            try run.begin()
            try run.finish(
                RunComparisonTests.record(id: id), rows: RunComparisonTests.report(1.5, steps: steps).rows, samples: [],
                claims: ClaimsOutcome([], rows: [], samples: []))
            return run.path
        }
        let (stored, new) = (try write("stored", steps: 1_000), try write("new", steps: 1_090))
        let ended = try BenchProgram(folder: folder.path).run([
            "check", "--run", new, "--against", stored, "--reports", folder.file("none"), "--format", format,
        ])
        #expect(ended.code == 1)
        let last = (format == "text" ? ended.output : ended.errors).split(separator: "\n").suffix(3).map { String($0) }
        #expect(
            last == [
                "red: work/entries=10, vm_steps of plain: 1000 stored, 1090 here (1.09 times)",
                "red: work/entries=10, vm_steps of cipher: 1000 stored, 1090 here (1.09 times)",
                "check: regression, compared 3 of 3 gating rows",
            ], "\(ended.output)\(ended.errors)")
    }
}

/// A program without cells.
private struct NoCells: CellCatalogue {
    func cells(_ scope: CellScope) -> [Cell] { [] }
    func corpora(_ scope: CellScope) -> [Corpus] { [] }
    func documents(json: JSONValue) throws(Fault) -> any OwnDocuments { throw Fault(.unsupported, "no documents") }
    func storage() -> StorageFacts { StorageFacts(identity: "", libraries: .null, missing: [], arms: .null) }
}
