import Soups

/// Shows which claims hold on which back end.
package enum ClaimTable {
    static let titles = ["claim", "statement"] + findingTitles
    private static let findingTitles = ["arms", "cell", "asked", "figure", "finding"]

    package static func make(_ rows: [ClaimRow]) -> TextTable? {
        guard !rows.isEmpty else { return nil }
        var table = TextTable(
            zip(titles, [.left, .left, .left, .left, .right, .right, .left] as [TextTable.Alignment]).map {
                (title: $0, alignment: $1)
            })
        for row in byStatement(rows).joined() {
            table.add([row.claim.id, row.claim.statement] + finding(row))
        }
        return table
    }

    /// The table on the page: each statement is printed once above its rows, with the number of those that hold.
    static func html(_ rows: [ClaimRow]) -> String {
        "<p><strong>\(counts(rows))</strong></p>\n"
            + Markup.table(
                findingTitles,
                groups: byStatement(rows).map { group in
                    let counts = [Claim.Finding.holds, .doesNotHold, .inconclusive].compactMap { finding in
                        let count = group.count { $0.finding == finding }
                        return count == 0 ? nil : "\(finding.rawValue): \(count)"
                    }
                    return (
                        "\(group[0].claim.id): \(group[0].claim.statement) (\(counts.joined(separator: ", ")))",
                        group.map(finding)
                    )
                })
    }

    /// `12 hold, 3 do not, 1 is open`.
    package static func counts(_ rows: [ClaimRow]) -> String {
        let open = rows.count { $0.finding == .inconclusive }
        return "\(rows.count { $0.finding == .holds }) hold, \(rows.count { $0.finding == .doesNotHold }) do not"
            + (open == 0 ? "" : ", \(open) undecided")
    }

    private static func finding(_ row: ClaimRow) -> [String] {
        [
            row.claim.arms.map(\.name).joined(separator: " / "), row.cellID, asked(row.claim, row.figure),
            figure(row.figure), row.finding.rawValue,
        ]
    }

    /// Groups the rows of one claim, whatever cells they come from: by its number, then by what is stated, in the
    /// order of the run.
    private static func byStatement(_ rows: [ClaimRow]) -> [[ClaimRow]] {
        var statements: [ByteKey: [ClaimRow]] = [:]
        var order: [(id: String, statement: ByteKey)] = []
        for row in rows {
            let statement = ByteKey(row.claim.statement)
            if statements[statement] == nil {
                order.append((row.claim.id, statement))
            }
            statements[statement, default: []].append(row)
        }
        let sorted = order.enumerated().sorted { one, other in
            let (a, b) = (Array(one.element.id.utf8), Array(other.element.id.utf8))
            return a == b ? one.offset < other.offset : a.lexicographicallyPrecedes(b)
        }
        return sorted.compactMap { statements[$0.element.statement] }
    }

    static func figure(_ figure: ClaimRow.Figure) -> String {
        switch figure {
        case .ratio(let estimate): Figures.ratio(estimate)
        case .cost(let median, let p95, let metric):
            "\(Figures.value(median, metric)), 95 %: \(Figures.value(p95, metric))"
        case .growth(let curve): GrowthTable.exponent(curve)
        case .missing: "?"
        }
    }

    /// What the claim asks of the figure: `>= 10`.
    static func asked(_ claim: Claim, _ figure: ClaimRow.Figure) -> String {
        switch claim.expectation {
        case .ratio(_, _, let atMost): return "<= " + Figures.ratio(atMost)
        case .slower(_, _, let atLeast): return ">= " + Figures.ratio(atLeast)
        case .within(_, _, let range): return "\(Figures.ratio(range.lowerBound)) to \(Figures.ratio(range.upperBound))"
        case .cost(_, let atMost):
            if case .cost(_, _, let metric) = figure {
                return "<= " + Figures.value(atMost, metric)
            }
            return "<= " + Figures.value(atMost, claim.metric ?? .wall)
        case .growth(_, let range):
            return range.lowerBound < 0
                ? "n^<=" + Figures.fixed(range.upperBound, 2)
                : "n^\(Figures.fixed(range.lowerBound, 2)) to n^\(Figures.fixed(range.upperBound, 2))"
        }
    }
}
