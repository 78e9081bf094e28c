import Soups

/// Writes claims.csv: one row for each claim, back end and cell, with the figure it was weighed by; and growth.csv, the
/// exponents.
package enum ClaimsFile {
    package static func claims(_ rows: [ClaimRow], run: String) -> [UInt8] {
        rows.reduce(into: CSVText.record(ReportSchema.claims.map(\.name))) { bytes, row in
            var kind = ""
            var unit = ""
            var figure: Double?
            var low: Double?
            var high: Double?
            var pairs = ""
            switch row.figure {
            case .ratio(let estimate):
                (kind, unit, figure, pairs) = ("ratio", "1", estimate.ratio, String(estimate.pairs))
                (low, high) = (estimate.interval?.low, estimate.interval?.high)
            case .cost(let median, let p95, let metric): (kind, unit, figure, high) = ("cost", metric.unit, median, p95)
            case .growth(let curve):
                (kind, unit, figure) = ("exponent", "1", curve.fit?.exponent)
                (low, high) = (curve.interval?.low, curve.interval?.high)
            case .missing: break
            }
            bytes += CSVText.record([
                SchemaVersion.current, run, row.claim.id, row.claim.statement, row.claim.backend,
                row.claim.arms.map(\.name).joined(separator: " "), row.cellID,
                kind, unit, CSVText.number(figure), CSVText.number(low), CSVText.number(high), pairs,
                ClaimTable.asked(row.claim, row.figure), row.finding.rawValue,
            ])
        }
    }

    package static func growth(_ curves: [GrowthCurve], run: String) -> [UInt8] {
        curves.reduce(into: CSVText.record(ReportSchema.growth.map(\.name))) { bytes, curve in
            bytes += CSVText.record([
                SchemaVersion.current, run, curve.family, curve.arm.name,
                curve.points.map { String($0.entries) }.joined(separator: " "),
                curve.points.map { CSVText.number($0.nanoseconds) }.joined(separator: " "),
                CSVText.number(curve.fit?.exponent),
                CSVText.number(curve.interval?.low), CSVText.number(curve.interval?.high),
            ])
        }
    }
}
