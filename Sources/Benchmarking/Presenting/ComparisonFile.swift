/// Writes a comparison of two runs as comma-separated values: one row for each figure that both were compared by, and
/// one for the suite as a whole.
enum ComparisonFile {
    static func write(_ report: ComparisonReport) -> [UInt8] {
        let red = report.regressions
        var bytes = CSVText.record(ReportSchema.comparison.map(\.name))
        func add(_ fields: [String]) {
            bytes += CSVText.record([SchemaVersion.current, report.new.id, report.stored.id] + fields)
        }
        for row in report.comparison.rows {
            let isRatio = row.kind == .ratio
            add([
                row.kind.rawValue, row.cellID, row.metric.name, row.arms, CSVText.number(row.stored),
                CSVText.number(row.new),
                CSVText.number(row.change?.ratio), CSVText.number(row.change?.interval?.low),
                CSVText.number(row.change?.interval?.high),
                CSVText.number(row.margin.share), CSVText.number(row.widenedFrom?.share),
                isRatio ? CSVText.number(row.spread) : "",
                isRatio ? (row.isSpreadKnown ? "1" : "0") : "", CSVText.number(row.creep),
                CSVText.number(row.correctedProbability), CSVText.number(row.chanceShare),
                row.gates ? "1" : "0", row.verdict.rawValue, red.contains(row) ? "1" : "0", row.reason,
            ])
        }
        if let suite = report.comparison.suite {
            add([
                "suite", "", "", "", "", "", CSVText.number(suite.estimate.ratio),
                CSVText.number(suite.estimate.interval?.low),
                CSVText.number(suite.estimate.interval?.high), CSVText.number(SuiteVerdict.margin.share), "", "", "",
                "", "", "", suite.gates ? "1" : "0",
                suite.verdict.rawValue, report.comparison.isSuiteSlower(confirmedBy: report.second) ? "1" : "0",
                "\(suite.rows) ratios",
            ])
        }
        return bytes
    }
}
