/// Names what made a run or a check red, a line each, for the last lines of its output.
///
/// Tables show ratios of the clock; a counter that grew is in no table, and would leave a red end unexplained.
package enum DecidingRows {
    /// The rows that make a run with another build red.
    package static func lines(_ rows: [SummaryRow]) -> [String] {
        rows.filter(\.isRegression).map { row in
            let figures = figures(
                row.metric, "in \(row.baseArm)", row.baseMedian, row.armMedian,
                row.estimate.flatMap { row.metric.isExact ? nil : Figures.ratio($0) })
            return "red: \(row.cellID), \(row.metric) of \(row.arm): \(figures)"
        }
    }

    /// The suites that do.
    package static func lines(_ verdicts: [SuiteVerdict]) -> [String] {
        verdicts.filter(\.isRegression).map { "red: the suite as a whole, \($0.what): \(Figures.mean($0.estimate))" }
    }

    /// All that makes a run red. A run that is not valid is not red.
    package static func lines(_ outcome: BenchmarkRun.Outcome) -> [String] { lines(outcome.record, outcome.rows) }

    static func lines(_ record: RunRecord, _ rows: [SummaryRow]) -> [String] {
        record.faults.isEmpty ? lines(rows) + lines(record.suite) : []
    }

    /// All that makes a check red.
    package static func lines(_ report: ComparisonReport) -> [String] {
        guard case .regression = report.outcome else {
            return []
        }
        let rows = report.regressions.map { row in
            let change = row.change.map { Figures.ratio($0) }
            let figures =
                row.kind == .counter
                ? figures(row.metric, "stored", row.stored, row.new, nil)
                : "\(Figures.ratio(row.stored)) stored, \(row.new.map { Figures.ratio($0) } ?? "?") here, change \(change ?? "?")"
            return "red: \(row.cellID), \(row.metric) of \(row.arms): \(figures)"
        }
        let suite = report.comparison.isSuiteSlower(confirmedBy: report.second) ? report.comparison.suite : nil
        return rows + lines([suite].compactMap(\.self))
    }

    /// `1000 stored, 1090 here (1.09 times)`. Counters are exact, so that a difference of one is seen.
    private static func figures(
        _ metric: Metric, _ origin: String, _ before: Double?, _ now: Double?, _ ratio: String?
    ) -> String {
        func show(_ value: Double?) -> String {
            guard let value else { return "?" }
            return metric.isExact ? exact(value) : Figures.value(value, metric)
        }
        let text = "\(show(before)) \(origin), \(show(now)) here"
        if let ratio {
            return "\(text), \(ratio)"
        }
        guard let before, let now, before > 0 else {
            return text
        }
        let times = now / before
        return "\(text) (\(Figures.fixed(times, abs(times - 1) < 0.01 ? 4 : 2)) times)"
    }

    private static func exact(_ value: Double) -> String { Figures.fixed(value, value == value.rounded() ? 0 : 2) }
}

extension SummaryRow {
    /// Whether it makes a run with another build red.
    package var isRegression: Bool { verdict == .slower && RunJudge.gates(.init(baseArm, arm)) }
}
