import Soups

/// Lists what differs from another build, and the verdict on the suite as a whole.
package enum DifferenceTable {
    /// The sentence that explains the list.
    static let meaning =
        "Rows beyond their margin; at most \(Figures.share(MultipleTests.listedShare)) of such a list are expected to be there by chance (Benjamini-Hochberg; the column chance is the share up to that row). Only rows that say slower are red."

    /// The rows that differ, the clearest first; nil if there is no such row.
    static func make(_ rows: [SummaryRow]) -> TextTable? {
        let listed = rows.filter { $0.isListed && $0.verdict != .invalid }.enumerated().sorted { one, other in
            let (a, b) = (one.element.chanceShare ?? 1, other.element.chanceShare ?? 1)
            return a == b ? one.offset < other.offset : a < b
        }.map(\.element)
        guard !listed.isEmpty else { return nil }
        var table = TextTable([
            ("cell", .left), ("metric", .left), ("arm", .left), ("base", .left), ("ratio [95 %]", .right),
            ("chance", .right), ("verdict", .left),
        ])
        for row in listed {
            table.add([
                row.cellID, row.metric.name, row.arm.name, row.baseArm.name,
                row.estimate.map { Figures.ratio($0) } ?? "",
                row.chanceShare.map { Figures.share($0) } ?? "", ComparisonTable.verdict(row),
            ])
        }
        return table
    }

    /// `the suite as a whole, wall against 5926ee1: 1.003 [0.994, 1.012] over 30 rows, same`, a line each.
    package static func suite(_ verdicts: [SuiteVerdict]) -> [String] {
        verdicts.map {
            "The suite as a whole, \($0.what): \(Figures.mean($0.estimate)) over \($0.rows) rows, \($0.verdict.rawValue)\($0.gates ? "" : ", informational")"
        }
    }
}
