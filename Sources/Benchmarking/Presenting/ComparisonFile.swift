import CSVText

/// Writes a comparison of two runs as comma-separated values: one row for each figure that both were compared by, and
/// one for the suite as a whole.
enum ComparisonFile {
    /// A row of the file: of a figure, or of the suite.
    struct Row: Sendable {
        let run: String
        let storedRun: String
        var row: RunComparison.Row?
        var suite: SuiteVerdict?
        let isRegression: Bool

        /// Only ratios have a spread.
        var ratio: RunComparison.Row? { row?.kind == .ratio ? row : nil }
        var interval: RatioEstimate.Interval? { row == nil ? suite?.estimate.interval : row?.change?.interval }
    }

    static let file = CSVFile<Row>(
        name: "comparison",
        columns: [
            .schema(),
            Column("run_id", .string, "the new run", write: { $0.run }),
            Column("stored_run_id", .string, "the run that it is compared with", write: { $0.storedRun }),
            Column(
                "kind", .string,
                "counter (of one arm), ratio (of two), time (of one arm), or suite: the mean of all ratios",
                write: { $0.row?.kind.rawValue ?? "suite" }),
            Column("cell_id", .string, "the cell", write: { $0.row?.cellID ?? "" }),
            Column("metric", .string, "what was measured", write: { $0.row?.metric.name ?? "" }),
            Column("arms", .string, "the arm, or arm / base", write: { $0.row?.arms ?? "" }),
            Column("stored", .number, "the stored figure", write: { CSVText.number($0.row?.stored) }),
            Column("new", .number, "the new one", write: { CSVText.number($0.row?.new) }),
            Column(
                "change", .number, "new / stored",
                write: { CSVText.number($0.row == nil ? $0.suite?.estimate.ratio : $0.row?.change?.ratio) }),
            Column(
                "lo", .number, "lower end of its interval; of a counter or a time the change itself",
                write: { CSVText.number($0.interval?.low) }),
            Column("hi", .number, "upper end", write: { CSVText.number($0.interval?.high) }),
            Column(
                "margin", .number, "share of change that is still \"same\"",
                write: { CSVText.number($0.row?.margin.share ?? SuiteVerdict.margin.share) }),
            Column(
                "margin_usual", .number,
                "what the margin was before it was widened to 3 times the stored null row's half width; empty where it was not",
                write: { CSVText.number($0.row?.widenedFrom?.share) }),
            Column(
                "spread", .number,
                "how far such a ratio moves between runs, as a half width of its logarithm",
                write: { CSVText.number($0.ratio?.spread) }),
            Column(
                "spread_known", .boolean, "1 if the row's history says so, 0 if it is assumed",
                write: { $0.ratio.map { $0.isSpreadKnown ? "1" : "0" } ?? "" }),
            Column(
                "creep", .number,
                "the last level of the row's history over its first, where that is beyond the margin though no single step was; empty elsewhere",
                write: { CSVText.number($0.row?.creep) }),
            Column(
                "p_holm", .number,
                "probability of such a ratio if it were no slower than its margin, corrected for all ratios",
                write: { CSVText.number($0.row?.correctedProbability) }),
            Column(
                "p_bh", .number,
                "the expected share of chance findings among this ratio and those that differ more clearly (Benjamini-Hochberg); lists hold rows up to 0.05",
                write: { CSVText.number($0.row?.chanceShare) }),
            Column(
                "gates", .boolean, "1 if the row can make the check red",
                write: { ($0.row?.gates ?? $0.suite?.gates) == true ? "1" : "0" }),
            Column(
                "verdict", .string, "faster, slower, same, inconclusive or invalid",
                write: { ($0.row?.verdict ?? $0.suite?.verdict)?.rawValue ?? "" }),
            Column(
                "regression", .boolean,
                "1 if it makes the check red: a counter that grew, or a ratio that a second session confirmed",
                write: { $0.isRegression ? "1" : "0" }),
            Column(
                "reason", .string, "why the row is invalid or undecided, or what else changed",
                write: { $0.row?.reason ?? $0.suite.map { "\($0.rows) ratios" } ?? "" }),
        ])

    static func write(_ report: ComparisonReport) -> [UInt8] {
        let red = report.regressions
        var rows = report.comparison.rows.map { row in
            Row(run: report.new.id, storedRun: report.stored.id, row: row, isRegression: red.contains(row))
        }
        if let suite = report.comparison.suite {
            rows.append(
                Row(
                    run: report.new.id, storedRun: report.stored.id, suite: suite,
                    isRegression: report.comparison.isSuiteSlower(confirmedBy: report.second)))
        }
        return file.write(rows)
    }
}
