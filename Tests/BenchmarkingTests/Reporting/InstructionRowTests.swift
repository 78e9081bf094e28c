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

    @Test func `what was not counted is not compared either and never green`() {
        let (outcome, comparison) = Self.outcome(Self.report("new", nil))
        #expect(outcome == .incomparable && "\(comparison.coverage)" == "compared 0 of 2 gating rows")
    }
}
