import JSONText

@testable import Benchmarking

/// Whole reports with a known truth: many cells, each with the three ratios of back ends.
enum PlantedReports {
    static let cells = 15

    static func record(
        _ id: String, fingerprint: String = "f", profile: Profile.Name = .quick, version: String = "v",
        faults: [String] = []
    ) -> RunRecord {
        RunRecord(
            id: id, startedUTC: "2026-01-01T00:00:00Z", commit: "c", profile: profile, seed: 1, commandLine: ["soup"],
            fingerprint: fingerprint,
            libraries: "l", cellVersions: (0..<cells).map { ("cell-\($0)", version) },
            corpora: [Corpus(name: "generated/entries=10", hash: "h")], ending: .complete,
            seconds: 1, faults: faults, details: JSONObject())
    }

    /// `change` gives the ln ratio of a row beyond 0.4, by cell and comparison; `halfWidth` is that of its interval.
    static func report(
        _ record: RunRecord, halfWidth: Double = 0.04, nullHalfWidth: Double? = nil, version: String = "v",
        change: (Int, Int) -> Double
    ) -> StoredReport {
        func row(_ cell: Int, _ base: Arm, _ arm: Arm, _ centre: Double, _ half: Double) -> SummaryRow {
            let interval = RatioEstimate.Interval(
                low: Exponential.exp(centre - half), high: Exponential.exp(centre + half), level: 0.95)
            return SummaryRow(
                cellID: "cell-\(cell)", workload: "cell-\(cell)", parameters: "", metric: .wall, baseArm: base,
                arm: arm, baseMedian: 100, armMedian: 150,
                estimate: RatioEstimate(ratio: Exponential.exp(centre), interval: interval, pairs: 10),
                margin: Margin(0.05), verdict: .slower, version: version)
        }
        var rows: [SummaryRow] = []
        for cell in 0..<cells {
            for (index, pair) in Cell.Comparison.backends.enumerated() {
                rows.append(row(cell, pair.base, pair.arm, 0.4 + change(cell, index), halfWidth))
            }
            if let nullHalfWidth {
                rows.append(row(cell, .plain, .plainAgain, 0, nullHalfWidth))
            }
        }
        return StoredReport(record: record, rows: rows)
    }
}
