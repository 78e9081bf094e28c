import JSONText
import Soups
import TestSupport
import Testing

@testable import Benchmarking

/// Counts of instructions against stored ones.
struct InstructionRowTests {
    private static func report(_ id: String, _ counts: Int?, toolchain: String = "swift 6.3") -> StoredReport {
        let details = JSONObject([
            ("build", ["toolchain": .string(toolchain)]), ("machine", ["flags": ["aes"]]),
        ])
        let cell = "instructions/work=exact"
        let record = RunComparisonTests.record(id: id, cells: [(cell, "v")], details: details)
        let rows = counts.map { count in
            [Metric.instructions, .allocations].map { metric in
                let value = Double(metric == .instructions ? count : 100)
                return SummaryRow(
                    cellID: cell, workload: "instructions", parameters: "work=exact", metric: metric, baseArm: .plain,
                    arm: .none, baseMedian: value, armMedian: nil, baseP95: value, margin: metric.margin(smallest: 1),
                    verdict: .inconclusive, version: "v")
            }
        }
        return StoredReport(record: record, rows: rows ?? [])
    }

    private static func outcome(_ new: StoredReport) -> (CheckOutcome, RunComparison) {
        let comparison = RunComparison(new: new, stored: report("stored", 20_000))
        return (CheckOutcome(comparison, confirmedBy: nil, faults: [], isStrict: true), comparison)
    }

    @Test func `more than two per cent more instructions are red without a second look`() {
        #expect(Self.outcome(Self.report("new", 20_500)).0 == .regression)
        #expect(Self.outcome(Self.report("new", 20_350)).0 == .nothingSlower)
        #expect(Self.outcome(Self.report("new", 10_000)).0 == .nothingSlower)
    }

    @Test func `counts of another compiler are not compared`() {
        let (outcome, comparison) = Self.outcome(Self.report("new", 40_000, toolchain: "swift 6.4"))
        #expect(outcome == .incomparable)
        #expect(comparison.incomparable.contains { $0.reason.contains("stored: swift 6.3 aes; now: swift 6.4 aes") })
    }

    /// A report of instructions and of a cell with other counters: `steps` of SQLite's machine.
    private static func both(
        _ id: String, _ count: Int?, steps: Double, toolchain: String = "swift 6.3"
    )
        -> StoredReport
    {
        let instructions = report(id, count, toolchain: toolchain)
        let record = RunComparisonTests.record(
            id: id, cells: [("instructions/work=exact", "v"), ("work/entries=10", "v")],
            details: instructions.record.details)
        return StoredReport(
            record: record, rows: instructions.rows + RunComparisonTests.report(1.5, steps: steps).rows)
    }

    private static func check(_ new: StoredReport, optional: Bool) -> (CheckOutcome, RunComparison) {
        let comparison = RunComparison(
            new: new, stored: both("stored", 20_000, steps: 1_000), instructionsAreOptional: optional)
        return (CheckOutcome(comparison, confirmedBy: nil, faults: [], isStrict: false), comparison)
    }

    @Test func `counts of another compiler can be left out and the rest still decides`() {
        let other = Self.both("new", 40_000, steps: 1_000, toolchain: "swift 6.4")
        let (strict, all) = Self.check(other, optional: false)
        #expect(strict == .incomparable && "\(all.coverage)" == "compared 3 of 5 gating rows")
        let (outcome, comparison) = Self.check(other, optional: true)
        #expect(outcome == .nothingSlower)
        #expect("\(comparison.coverage)" == "compared 3 of 5 gating rows, 2 of instructions left out")
        #expect(comparison.incomparable.contains { $0.reason.hasPrefix("instructions depend on compiler") })
        let more = Self.both("new", 20_000, steps: 1_001, toolchain: "swift 6.4")
        #expect(Self.check(more, optional: true).0 == .regression)
    }

    @Test func `counts of the same compiler are never left out`() {
        #expect(Self.check(Self.both("new", 40_000, steps: 1_000), optional: true).0 == .regression)
        let (outcome, comparison) = Self.check(Self.both("new", nil, steps: 1_000), optional: true)
        #expect(outcome == .incomparable && "\(comparison.coverage)" == "compared 3 of 5 gating rows")
    }

    @Test func `counts that are left out alone are no comparison`() {
        let comparison = RunComparison(
            new: Self.report("new", 40_000, toolchain: "swift 6.4"), stored: Self.report("stored", 20_000),
            instructionsAreOptional: true)
        #expect(CheckOutcome(comparison, confirmedBy: nil, faults: [], isStrict: false) == .incomparable)
    }

    @Test func `what was not counted is not compared either and never green`() {
        let (outcome, comparison) = Self.outcome(Self.report("new", nil))
        #expect(outcome == .incomparable && "\(comparison.coverage)" == "compared 0 of 2 gating rows")
    }
}
