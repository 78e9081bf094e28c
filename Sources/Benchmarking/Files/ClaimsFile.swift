import CSVText
import Soups

/// Writes claims.csv: one row for each claim, back end and cell, with the figure it was weighed by.
package enum ClaimsFile {
    /// A row of the file. What its figures are depends on the kind of the claim.
    struct Row: Sendable {
        let run: String
        let row: ClaimRow
        var kind = ""
        var unit = ""
        var figure: Double?
        var low: Double?
        var high: Double?
        var pairs: Int?

        init(_ row: ClaimRow, run: String) {
            self.run = run
            self.row = row
            switch row.figure {
            case .ratio(let estimate):
                (kind, unit, figure, pairs) = ("ratio", "1", estimate.ratio, estimate.pairs)
                (low, high) = (estimate.interval?.low, estimate.interval?.high)
            case .cost(let median, let p95, let metric): (kind, unit, figure, high) = ("cost", metric.unit, median, p95)
            case .growth(let curve):
                (kind, unit, figure) = ("exponent", "1", curve.fit?.exponent)
                (low, high) = (curve.interval?.low, curve.interval?.high)
            case .missing: break
            }
        }
    }

    static let file = CSVFile<Row>(
        name: "claims.csv",
        columns: [
            .schema(),
            Column("run_id", .string, "the run", write: { $0.run }),
            Column("claim", .string, "the claim's number", write: { $0.row.claim.id }),
            Column("statement", .string, "what is claimed", write: { $0.row.claim.statement }),
            Column(
                "backend", .string, "plain or cipher; any where no storage takes part", write: { $0.row.claim.backend }),
            Column(
                "arms", .string,
                "whose work is weighed; of a ratio the divided arm, a blank and the arm it is divided by",
                write: { $0.row.claim.arms.map(\.name).joined(separator: " ") }),
            Column(
                "cell_id", .string, "the cell; for an exponent the work at all its sizes", write: { $0.row.cellID }),
            Column(
                "kind", .string,
                "ratio, cost of one unit of work, or exponent by which the time grows with the entries; empty where nothing was measured",
                write: { $0.kind }),
            Column("unit", .string, "ns or bytes for a cost, else 1", write: { $0.unit }),
            Column(
                "figure", .number, "the ratio, the median cost or the exponent", write: { CSVText.number($0.figure) }),
            Column("lo", .number, "lower end of the interval; empty for a cost", write: { CSVText.number($0.low) }),
            Column("hi", .number, "upper end; for a cost the 95th percentile", write: { CSVText.number($0.high) }),
            Column(
                "pairs", .integer, "pairs that a ratio rests on", write: { $0.pairs.map { String($0) } ?? "" }),
            Column(
                "asked", .string, "what the claim asks of the figure",
                write: { ClaimTable.asked($0.row.claim, $0.row.figure) }),
            Column(
                "finding", .string, "holds, does not hold or inconclusive", write: { $0.row.finding.rawValue }),
        ])

    package static func write(_ rows: [ClaimRow], run: String) -> [UInt8] {
        file.write(rows.lazy.map { Row($0, run: run) })
    }
}
