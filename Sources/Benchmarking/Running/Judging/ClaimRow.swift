import Soups

/// Says whether a claim holds, with the figure it was weighed by.
public struct ClaimRow: Sendable, Hashable {
    public let claim: Claim
    public let cellID: String
    public let ratio: RatioEstimate?
    public let exponent: Double?
    public let finding: Claim.Finding

    /// Weighs the claims of all cells against the rows of a run.
    public static func all(_ cells: [Cell], rows: [SummaryRow]) -> [ClaimRow] {
        var growthDone: Set<ByteKey> = []
        return cells.flatMap { cell in
            cell.claims.compactMap { claim -> ClaimRow? in
                switch claim.expectation {
                case .ratio(let base, let arm, _), .slower(let base, let arm, _), .within(let base, let arm, _):
                    let row = rows.first {
                        ByteKey($0.cellID) == ByteKey(cell.id) && $0.metric == cell.primary && $0.baseArm == base && $0.arm == arm
                    }
                    let estimate = row?.verdict == .invalid ? nil : row?.estimate
                    return ClaimRow(claim: claim, cellID: cell.id, ratio: estimate, exponent: nil, finding: claim.finding(ratio: estimate))
                case .growth(let arm, _):
                    // One row for all sizes of a workload.
                    guard growthDone.insert(ByteKey(claim.id + " " + claim.backend + " " + GrowthCurve.family(of: cell))).inserted else { return nil }
                    let curve = GrowthCurve.all(cells, rows: rows).first { $0.family == GrowthCurve.family(of: cell) && $0.arm == arm }
                    return ClaimRow(
                        claim: claim, cellID: GrowthCurve.family(of: cell), ratio: nil, exponent: curve?.fit?.exponent,
                        finding: claim.finding(growth: curve?.fit, sizes: curve?.points.count ?? 0))
                }
            }
        }
    }
}
