import CSVText
package import Soups

/// Writes and reads summary.csv: one row for each cell, metric and pair of arms. It is all that a later comparison
/// needs.
package enum SummaryFile {
    /// A row of the file. The figures of the estimate are columns of their own.
    struct Row: Sendable {
        var run = ""
        var row: SummaryRow
        var pairs: Int
        var ratio: Double?
        var low: Double?
        var high: Double?
        var level: Double?
        var marginShare: Double?

        init(_ row: SummaryRow, run: String) {
            self.run = run
            self.row = row
            pairs = row.estimate?.pairs ?? 0
            ratio = row.estimate?.ratio
            low = row.estimate?.interval?.low
            high = row.estimate?.interval?.high
            level = row.estimate?.interval?.level
            marginShare = row.margin.share
        }

        static let empty = Row(
            SummaryRow(
                cellID: "", workload: "", parameters: "", metric: .wall, baseArm: .none, arm: .none, margin: Margin(0),
                verdict: .invalid, version: ""), run: "")
    }

    /// Larger or smaller than any quotient of two samples can be: such figures are damage, and the logarithms of their
    /// quotients would not be finite.
    private static let largest = 1e40, smallest = 1e-40
    private static let figures = -largest...largest
    private static let shares = 0.0...1.0

    /// A count may grow from 0, or shrink to it (`RatioEstimate.exact`).
    private static func ratios(_ metric: Metric) -> ClosedRange<Double> {
        metric.isExact ? 0...Double.greatestFiniteMagnitude : smallest...largest
    }

    /// A column of ratios, whose range depends on the metric of the row.
    private static func ratio(
        _ name: String, _ meaning: String, _ property: Column<Row>.Property<Double?>
    ) -> Column<Row> {
        Column(
            name, .number, meaning, write: { CSVText.number($0[keyPath: property]) },
            read: { (row, field) throws(Fault) in
                row[keyPath: property] = try field.number(in: ratios(row.row.metric))
            })
    }

    static let file = CSVFile<Row>(
        name: "summary.csv",
        columns: [
            .schema(),
            .text("run_id", "the run", \.run),
            .text("cell_id", "the cell", \.row.cellID),
            .text("workload", "what is done", \.row.workload),
            .text("params", "name=value;name=value, sorted by name", \.row.parameters),
            Column(
                "metric", .string, "what was measured", write: { $0.row.metric.name },
                read: { (row, field) throws(Fault) in row.row.metric = Metric(field.text) }),
            .unit("ns, bytes or count, for one unit of work") { $0.row.metric.unit },
            .arm("base_arm", "the arm that the other is compared with", \.row.baseArm),
            .arm(
                "arm", "the arm that is compared; empty where the base arm has nothing to be compared with", \.row.arm),
            .integer("pairs", "pairs that the ratio rests on", \.pairs, in: 0...Sample.limit),
            .number("base_median", "median of the base arm, per unit of work", \.row.baseMedian, in: figures),
            .number("arm_median", "median of the arm, per unit of work", \.row.armMedian, in: figures),
            .number("base_p95", "95th percentile of the base arm", \.row.baseP95, in: figures),
            .number("arm_p95", "95th percentile of the arm", \.row.armP95, in: figures),
            ratio(
                "ratio",
                "arm / base: Hodges-Lehmann estimate, or the quotient of counters; the largest number there is where a counter began from 0",
                \.ratio),
            ratio("lo", "lower end of the exact signed-rank interval", \.low),
            ratio("hi", "upper end", \.high),
            .number("level", "probability that such an interval covers the truth", \.level, in: shares),
            .number("margin", "share of change that is still \"same\"", \.marginShare, in: 0...largest),
            .integer("stage", "1, or 2 where the row had a second look", \.row.stage, in: 1...2),
            .number(
                "p", "probability of such figures if the arm were no slower than its margin", \.row.probability,
                in: shares),
            .number(
                "p_holm", "the same, corrected for all rows that gate", \.row.correctedProbability, in: shares),
            .number(
                "p_bh",
                "the expected share of chance findings among this row and those that differ from another build more clearly (Benjamini-Hochberg); lists of differences hold rows up to 0.05",
                \.row.chanceShare, in: shares, isAddedLater: true),
            .choice("verdict", "faster, slower, same, inconclusive or invalid", \.row.verdict),
            .text("reason", "why a row is inconclusive or invalid", \.row.reason),
            .truth(
                "plan_same",
                "1 if SQLite answered the statements of both arms along the same query plans; empty without plans",
                \.row.isPlanSame),
            .truth(
                "digest_same", "1 if both arms answered the same in every block; empty where they need not",
                \.row.isDigestSame),
            .text("bench_version", "hash of the cell's definition; rows of others are never compared", \.row.version),
        ])

    package static func write(_ rows: [SummaryRow], run: String) -> [UInt8] {
        file.write(rows.lazy.map { Row($0, run: run) })
    }

    /// Reads all rows.
    ///
    /// - Parameter run: The run that all rows must belong to; nil for any.
    /// - Throws: `syntax` naming what is wrong, `unsupported` for another major version of the schema.
    package static func read(_ bytes: [UInt8], run: String? = nil) throws(Fault) -> [SummaryRow] {
        var keys: Set<ByteKey> = []
        return try file.read(bytes, into: .empty) { (read, record) throws(Fault) in
            var row = read.row
            if let run, ByteKey(read.run) != ByteKey(run) {
                throw record.fault("the row is of run \(read.run), but run.json describes run \(run)")
            }
            guard keys.insert(ByteKey(row.key)).inserted else {
                throw record.fault("\(row.key) is in the file twice")
            }
            var interval: RatioEstimate.Interval?
            switch (read.low, read.high, read.level) {
            case (let low?, let high?, let level?) where low <= high:
                guard let ratio = read.ratio, (low...high).contains(ratio) else {
                    throw record.fault("the ratio is outside of its interval")
                }
                interval = .init(low: low, high: high, level: level)
            case (nil, nil, nil): break
            default: throw record.fault("lo, hi and level are not a valid interval")
            }
            guard let margin = read.marginShare else {
                throw record.fault("the margin is missing")
            }
            row.estimate = read.ratio.map { RatioEstimate(ratio: $0, interval: interval, pairs: read.pairs) }
            row.margin = Margin(margin)
            return row
        }
    }
}
