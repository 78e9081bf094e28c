import Soups

/// A statement that finds rows: their ids, whether the conditions prove them, the cells that the others are evaluated on, and
/// in most forms their entries.
struct CandidateStatement: Sendable {
    let text: String
    let arguments: [SQLValue]
    /// Whether the last column has the entries.
    var hasEntries = true

    /// The column of the first cell that conditions are evaluated on.
    static let firstCell = 2

    private init(
        _ columns: String, _ values: [SQLValue], _ soup: RegisteredSoup, _ conditions: [SQLCondition], after id: Int64,
        isOrdered: Bool
    ) {
        let key = "{\(soup.name):_soupEntryId}"
        var parts: [String] = []
        var arguments = values
        for condition in conditions where !condition.isAlways {
            let part = SQLText(condition, isNullSafe: false)
            parts.append(part.text)
            arguments += part.arguments
        }
        if id > .min {
            parts.append("\(key) > ?")
            arguments.append(.integer(id))
        }
        text =
            "SELECT \(columns) FROM {\(soup.name)}"
            + (parts.isEmpty ? "" : " WHERE " + parts.joined(separator: " AND "))
            + (isOrdered ? " ORDER BY \(key)" : "")
        self.arguments = arguments
    }

    private init(text: String, arguments: [SQLValue]) {
        self.text = text
        self.arguments = arguments
    }

    private static func columns(
        _ plan: FilterPlan, _ soup: RegisteredSoup, sure: SQLCondition? = nil, entries: Bool
    ) -> (String, [SQLValue]) {
        let sure = SQLText(sure ?? plan.sure, isNullSafe: true)
        var columns = ["{\(soup.name):_soupEntryId}", sure.text] + plan.cells
        if entries {
            columns.append("{\(soup.name):_soup}")
        }
        return (columns.joined(separator: ", "), sure.arguments)
    }

    /// Walks over the table.
    static func walk(_ plan: FilterPlan, _ soup: RegisteredSoup, after id: Int64) -> CandidateStatement {
        let (columns, values) = columns(plan, soup, entries: true)
        return CandidateStatement(columns, values, soup, [plan.candidate], after: id, isOrdered: true)
    }

    /// Finds the ids of the candidates, in any order.
    static func ids(_ plan: FilterPlan, _ soup: RegisteredSoup, after id: Int64) -> CandidateStatement {
        let (columns, values) = columns(plan, soup, entries: false)
        var statement = CandidateStatement(
            columns, values, soup, [plan.candidate], after: id, isOrdered: false)
        statement.hasEntries = false
        return statement
    }

    /// Finds the rows that have the one value of a condition, in the order of their ids.
    static func point(
        _ search: PointSearch, _ plan: FilterPlan, _ soup: RegisteredSoup, after id: Int64
    ) -> CandidateStatement {
        let (columns, values) = columns(plan, soup, sure: search.sure, entries: true)
        return CandidateStatement(columns, values, soup, [search.cells], after: id, isOrdered: true)
    }

    /// Finds out whether there are candidates with another value; nil if there cannot be any.
    static func others(_ search: PointSearch, _ soup: RegisteredSoup) -> CandidateStatement? {
        guard !search.others.isEmpty else { return nil }
        var whole = CandidateStatement("1", [], soup, [search.others[0]], after: .min, isOrdered: false)
        for other in search.others.dropFirst() {
            let next = CandidateStatement("1", [], soup, [other], after: .min, isOrdered: false)
            whole = CandidateStatement(
                text: whole.text + " UNION ALL " + next.text, arguments: whole.arguments + next.arguments)
        }
        return whole
    }

    /// Counts the candidates.
    static func count(_ plan: FilterPlan, _ soup: RegisteredSoup) -> CandidateStatement {
        CandidateStatement("count(*)", [], soup, [plan.candidate], after: .min, isOrdered: false)
    }

    /// Finds the candidates that must be looked at.
    static func unsure(_ plan: FilterPlan, _ soup: RegisteredSoup) -> CandidateStatement {
        let columns = ["{\(soup.name):_soupEntryId}", "0"] + plan.cells + ["{\(soup.name):_soup}"]
        return CandidateStatement(
            columns.joined(separator: ", "), [], soup, [plan.candidate, .opposite(plan.sure)], after: .min,
            isOrdered: false)
    }
}
