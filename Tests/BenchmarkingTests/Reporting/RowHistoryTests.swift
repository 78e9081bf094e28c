import Soups
import Testing

@testable import Benchmarking

/// How earlier accepted reports change the judgement of a row.
struct RowHistoryTests {
    /// Six runs that swing by 4 % to either side.
    private static func restless(
        _ change: (Int) -> RunRecord = { PlantedReports.record("run-\($0)") }
    ) -> [StoredReport] {
        (0..<6).map { run in PlantedReports.report(change(run), halfWidth: 0.01) { _, _ in run % 2 == 0 ? 0.04 : -0.04 }
        }
    }

    private static func comparison(
        _ history: RowHistory, change: Double = 0.12, nullHalfWidth: Double? = nil
    ) -> RunComparison {
        let stored = PlantedReports.report(
            PlantedReports.record("stored"), halfWidth: 0.01, nullHalfWidth: nullHalfWidth
        ) { _, _ in 0 }
        let new = PlantedReports.report(PlantedReports.record("new"), halfWidth: 0.01, nullHalfWidth: nullHalfWidth) {
            _, _ in change
        }
        return RunComparison(new: new, stored: stored, history: history)
    }

    @Test func `a row that moves from run to run needs more to be slower`() {
        let ratios = Self.comparison(.none).rows.filter { $0.kind == .ratio }
        #expect(
            ratios.allSatisfy { $0.verdict == .slower && !$0.isSpreadKnown && $0.spread == StoredRatio.unknownSpread })
        let known = Self.comparison(RowHistory(Self.restless(), like: PlantedReports.record("new"))).rows.filter {
            $0.kind == .ratio
        }
        #expect(
            !known.isEmpty && known.allSatisfy { $0.verdict == .inconclusive && $0.isSpreadKnown && $0.spread > 0.08 })
    }

    @Test func `runs of another kind say nothing`() {
        let like = PlantedReports.record("new")
        for reports in [
            Self.restless { PlantedReports.record("run-\($0)", fingerprint: "other") },
            Self.restless { PlantedReports.record("run-\($0)", profile: .full) },
            Self.restless { _ in PlantedReports.record("new") }, Self.restless { _ in PlantedReports.record("twice") },
            (0..<6).map { PlantedReports.report(PlantedReports.record("run-\($0)"), version: "older") { _, _ in 0.1 } },
            Array(Self.restless().prefix(3)),
        ] {
            let rows = Self.comparison(RowHistory(reports, like: like)).rows.filter { $0.kind == .ratio }
            #expect(!rows.isEmpty && rows.allSatisfy { !$0.isSpreadKnown && $0.spread == StoredRatio.unknownSpread })
        }
        // Ratios of two pairs have no interval.
        let counted = Self.restless().map { report in
            StoredReport(
                record: report.record,
                rows: report.rows.map { row in
                    var row = row
                    row.estimate = RatioEstimate(ratio: row.estimate?.ratio ?? 1, interval: nil, pairs: 2)
                    return row
                })
        }
        #expect(Self.comparison(RowHistory(counted, like: like)).rows.allSatisfy { !$0.isSpreadKnown })
    }

    /// Eight runs, each 2 % slower than the two before: no comparison with the last one shows it.
    @Test func `slow creep is reported though every step is within the margin`() {
        let record = PlantedReports.record("new")
        let creeping = (0..<8).map { run in
            PlantedReports.report(PlantedReports.record("run-\(run)"), halfWidth: 0.01) { _, _ in
                -0.06 + 0.02 * Double(run / 2)
            }
        }
        let comparison = Self.comparison(RowHistory(creeping, like: record), change: 0.01)
        let ratios = comparison.rows.filter { $0.kind == .ratio }
        #expect(!ratios.isEmpty && ratios.allSatisfy { $0.verdict != .slower && ($0.creep ?? 0) > 1.05 })
        #expect(
            ComparisonReport(comparison, new: record, stored: record).make(.text).contains(
                "crept: cell-0 cipher / cipher-off is 1.06 times"))
        let calm = (0..<8).map { run in
            PlantedReports.report(PlantedReports.record("run-\(run)"), halfWidth: 0.01) { _, _ in
                run % 2 == 0 ? 0.01 : 0
            }
        }
        #expect(Self.comparison(RowHistory(calm, like: record), change: 0.01).rows.allSatisfy { $0.creep == nil })
    }

    @Test func `a noisy null row widens the margins of its cell and the report says so`() throws {
        let record = PlantedReports.record("new")
        let quiet = PlantedReports.report(PlantedReports.record("a"), nullHalfWidth: 0.01) { _, _ in 0 }
        #expect(Self.comparison(RowHistory([quiet], like: record)).rows.allSatisfy { $0.widenedFrom == nil })
        let noisy = PlantedReports.report(PlantedReports.record("b"), nullHalfWidth: 0.06) { _, _ in 0 }
        let comparison = Self.comparison(RowHistory([noisy], like: record), nullHalfWidth: 0.06)
        let ratios = comparison.rows.filter { $0.kind == .ratio }
        #expect(
            !ratios.isEmpty
                && ratios.allSatisfy {
                    $0.widenedFrom == Margin(0.05) && abs($0.margin.share - 0.197) < 0.001 && $0.verdict != .slower
                })
        let text = ComparisonReport(comparison, new: record, stored: record).make(.text)
        #expect(
            text.contains(
                "margin widened from 5 % to 19.7 %, 3 times what one arm against itself showed: cell-0 cipher / cipher-off"
            ))
    }
}
