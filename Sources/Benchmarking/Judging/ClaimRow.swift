import Soups

/// Says whether a claim holds, with the figure that decided it.
package struct ClaimRow: Sendable, Hashable {
    package let claim: Claim
    /// The cell, or for growth the workload at all its sizes.
    package let cellID: String
    package let figure: Figure
    package let finding: Claim.Finding

    package enum Figure: Sendable, Hashable {
        case ratio(RatioEstimate)
        /// Median and 95th percentile of one unit of work.
        case cost(median: Double, p95: Double, Metric)
        case growth(GrowthCurve)
        /// Nothing was measured, or what was measured is not valid.
        case missing
    }

    /// Decides the claims of all cells by the rows of a run, or of several. `samples` give exponents their intervals.
    package static func all(_ cells: [Cell], rows: [SummaryRow], samples: [Sample] = []) -> [ClaimRow] {
        let curves = GrowthCurve.all(cells, rows: rows, samples: samples)
        var rowsOfCell: [ByteKey: [SummaryRow]] = [:]
        for row in rows {
            rowsOfCell[ByteKey(row.cellID), default: []].append(row)
        }
        var growthDone: Set<ByteKey> = []
        return cells.flatMap { cell in
            let own = rowsOfCell[ByteKey(cell.id)] ?? []
            return cell.claims.compactMap { claim -> ClaimRow? in
                let metric = claim.metric ?? cell.primary
                switch claim.expectation {
                case .ratio(let base, let arm, _), .slower(let base, let arm, _), .within(let base, let arm, _):
                    let row = own.first {
                        $0.metric == metric && $0.baseArm == base && $0.arm == arm && $0.verdict != .invalid
                    }
                    let estimate = row?.estimate
                    return ClaimRow(
                        claim: claim, cellID: cell.id, figure: estimate.map { .ratio($0) } ?? .missing,
                        finding: claim.finding(ratio: estimate))
                case .cost(let arm, _):
                    let row = own.first {
                        $0.metric == metric && ($0.baseArm == arm || $0.arm == arm) && $0.verdict != .invalid
                    }
                    let isBase = row?.baseArm == arm
                    guard let row, let median = isBase ? row.baseMedian : row.armMedian,
                        let p95 = isBase ? row.baseP95 : row.armP95
                    else {
                        return ClaimRow(claim: claim, cellID: cell.id, figure: .missing, finding: .inconclusive)
                    }
                    return ClaimRow(
                        claim: claim, cellID: cell.id, figure: .cost(median: median, p95: p95, metric),
                        finding: claim.finding(median: median, p95: p95))
                case .growth(let arm, _):
                    // One row for all sizes of a workload.
                    let family = GrowthCurve.family(of: cell)
                    guard
                        growthDone.insert(
                            ByteKey([claim.id, claim.statement, claim.backend, family].joined(separator: "\n"))
                        ).inserted
                    else {
                        return nil
                    }
                    let curve = curves.first { ByteKey($0.family) == ByteKey(family) && $0.arm == arm }
                    return ClaimRow(
                        claim: claim, cellID: family, figure: curve.map { .growth($0) } ?? .missing,
                        finding: claim.finding(growth: curve))
                }
            }
        }
    }
}
