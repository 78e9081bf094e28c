import Soups

/// What the accepted reports of one kind of machine say about a row: how far its ratio moves between runs, and how wide
/// the null row of the same cell was.
package struct RowHistory: Sendable {
    private var ratios: [ByteKey: [Double]] = [:]
    private var nullHalfWidths: [ByteKey: [Double]] = [:]

    /// A history without any report.
    package static let none = RowHistory([], like: nil)

    /// Takes the reports of the same kind of machine, profile and documents as a run.
    ///
    /// - Parameter reports: Oldest first; the run itself is left out of its own history.
    package init(_ reports: [StoredReport], like record: RunRecord?) {
        guard let record else { return }
        var known: Set<ByteKey> = [ByteKey(record.id)]
        for report in reports
        where Self.isLike(report.record, record) && known.insert(ByteKey(report.record.id)).inserted {
            for row in report.rows where !row.metric.isExact && row.verdict != .invalid {
                // A ratio of too few pairs for an interval says more about these pairs than about the spread between
                // runs.
                guard let estimate = row.estimate, let halfWidth = estimate.halfWidth else {
                    continue
                }
                ratios[Self.key(row), default: []].append(estimate.ratio)
                if row.arm == .plainAgain {
                    nullHalfWidths[Self.cell(row), default: []].append(halfWidth)
                }
            }
        }
    }

    /// The row's ratios in the stored runs of its definition, oldest first.
    func ratios(of row: SummaryRow) -> [Double] { ratios[Self.key(row)] ?? [] }

    /// How far the row's ratio moves between runs, as a half width of ln ratio; nil with too few runs of this
    /// definition.
    func spread(of row: SummaryRow) -> Double? { RunSpread.halfWidth(ratios(of: row)) }

    /// How many times as much the row's last level is as its first, over the stored runs and a new one; nil if it
    /// never stepped.
    func growth(of row: SummaryRow, upTo new: Double) -> Double? {
        let series = ratios(of: row) + [new]
        let steps = ChangePoints.find(series)
        guard let first = steps.first, let last = steps.last, let then = Quantiles.median(Array(series[..<first])),
            let now = Quantiles.median(Array(series[last...])), then > 0
        else {
            return nil
        }
        return now / then
    }

    /// The half width of ln ratio that one arm compared with itself had in the row's cell, as the median of the stored
    /// runs; nil without a null row in the cell.
    func nullHalfWidth(of row: SummaryRow) -> Double? {
        nullHalfWidths[Self.cell(row)].flatMap { Quantiles.median($0) }
    }

    private static func isLike(_ a: RunRecord, _ b: RunRecord) -> Bool {
        ByteKey(a.fingerprint) == ByteKey(b.fingerprint) && a.profile == b.profile
            && ByteKey(Baselines.corpus(of: a)) == ByteKey(Baselines.corpus(of: b))
    }

    private static func key(_ row: SummaryRow) -> ByteKey { ByteKey(row.key + " " + row.version) }
    private static func cell(_ row: SummaryRow) -> ByteKey {
        ByteKey([row.cellID, row.metric.name, row.version].joined(separator: " "))
    }
}
