/// Shows which claims hold on which back end.
public enum ClaimTable {
    public static func make(_ rows: [ClaimRow]) -> TextTable? {
        guard !rows.isEmpty else { return nil }
        var table = TextTable([("claim", .left), ("statement", .left), ("where", .left), ("cell", .left), ("figure", .right), ("finding", .left)])
        for row in rows {
            let figure = row.ratio.map { Figures.ratio($0) } ?? row.exponent.map { "exponent " + Figures.fixed($0, 2) } ?? "?"
            table.add([row.claim.id, row.claim.statement, row.claim.backend, row.cellID, figure, row.finding.rawValue])
        }
        return table
    }
}
