import JSONText
import Soups
import TestSupport
import Testing

@testable import Benchmarking

/// What accepted runs of equal builds say about a row, and how the judge uses it.
struct BuildOffsetTests {
    private static func row(
        _ ratio: Double, cell: String = "planted", version: String, metric: Metric = .wall
    ) -> SummaryRow {
        SummaryRow(
            cellID: cell, workload: cell, parameters: "", metric: metric, baseArm: "plain@old", arm: "plain@old-again",
            baseMedian: 100, armMedian: 100 * ratio,
            estimate: RatioEstimate(
                ratio: ratio, interval: .init(low: ratio * 0.99, high: ratio * 1.01, level: 0.95), pairs: 20),
            margin: Margin(0.05), verdict: .same, version: version)
    }

    private static func write(
        _ id: String, _ rows: [SummaryRow], faults: [String] = [], in folder: TemporaryFolder
    )
        throws -> RunFolder
    {
        let run = RunFolder(path: folder.file(id))
        try run.begin()
        let record = RunComparisonTests.record(
            id: id, faults: faults, cells: rows.first.map { [($0.cellID, $0.version)] } ?? [])
        try run.finish(record, rows: rows, samples: [], claims: ClaimsOutcome([], rows: [], samples: []))
        return run
    }

    /// The planted slow-down is 8 %, beyond the usual margin of 5 %.
    @Test func `a row that differs between equal builds gets a wider margin`() throws {
        let planned = try RunJudgeTests.planned()
        let samples =
            RunJudgeTests.samples(planned, pairs: 20, plain: 1.08)
            + RunJudgeTests.samples(planned, .second, pairs: 30, plain: 1.08)
        func verdict(_ offsets: BuildOffsets) -> Verdict? {
            let rows = RunJudge([planned], samples: samples, offsets: offsets).rows()
            return rows.first { $0.metric == .wall && $0.arm == .plain && $0.baseArm == "plain@old" }?.verdict
        }
        #expect(verdict(.none) == .slower)
        let folder = try TemporaryFolder()
        let reports = folder.file("Reports")
        for (number, ratio) in [1.06, 0.95, 1.04, 0.94].enumerated() {
            let run = try Self.write("run-\(number)", [Self.row(ratio, version: planned.cell.version)], in: folder)
            #expect(try BuildOffsets.accept(run, into: reports) == 1)
            let offsets = try BuildOffsets.stored(in: reports, fingerprint: "f")
            // Three runs say nothing yet.
            #expect(verdict(offsets) == (number < 3 ? .slower : .same))
        }
        // Neither another kind of machine nor another definition or clock of the cell.
        #expect(verdict(try BuildOffsets.stored(in: reports, fingerprint: "g")) == .slower)
        let offsets = try BuildOffsets.stored(in: reports, fingerprint: "f")
        #expect(offsets.deviation(of: Self.row(1, version: "other")) == nil)
        #expect(offsets.deviation(of: Self.row(1, version: planned.cell.version, metric: .cpu)) == nil)
        #expect(offsets.deviation(of: Self.row(1, cell: "another", version: planned.cell.version)) == nil)
    }

    @Test func `equal builds that hardly differ change nothing and wild ones are limited`() throws {
        func deviation(_ ratios: [Double]) -> Double? {
            let rows = ratios.map { ratio in
                BuildOffsets.Row(fingerprint: "f", cellID: "planted", version: "v", arm: .plain, ratio: ratio)
            }
            return BuildOffsets(rows, fingerprint: "f").deviation(of: Self.row(1, version: "v"))
        }
        #expect(deviation([1, 1, 1, 1]) == 0)
        #expect(deviation([2, 0.5, 2, 0.5]) == BuildSpread.largest)
        let some = try #require(deviation([1.02, 0.98, 1.02, 0.98]))
        #expect(some > 0.019 && some < 0.021)
    }

    @Test func `runs that show nothing of equal builds are refused`() throws {
        let folder = try TemporaryFolder()
        let reports = folder.file("Reports")
        let row = Self.row(1.02, version: "v")
        let good = try Self.write("good", [row], in: folder)
        #expect(try BuildOffsets.accept(good, into: reports) == 1)
        var other = row
        (other.baseArm, other.arm) = ("plain@old", .plain)
        for (run, part) in [
            (good, "was accepted before"),
            (try Self.write("invalid", [row], faults: ["the control moved"], in: folder), "only a whole run"),
            (try Self.write("others", [other], in: folder), "no rows of one source built twice"),
        ] {
            let fault = #expect(throws: Fault.self) { try BuildOffsets.accept(run, into: reports) }
            #expect(fault?.message.contains(part) == true)
        }
        try RunFolder(path: reports).write(Array("broken".utf8), to: "builds.csv")
        #expect(throws: Fault.self) { try BuildOffsets.stored(in: reports, fingerprint: "f") }
    }
}
