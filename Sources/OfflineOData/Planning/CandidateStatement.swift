import Soups

/// A statement that finds rows: their ids, whether the conditions prove them, the cells that the others are evaluated
/// on, and in most forms their entries.
struct CandidateStatement: Sendable {
    let text: String
    let arguments: [SQLValue]
    /// Whether the last column has the entries.
    var hasEntries = true
    /// A condition about the id, and the byte in the text before which it can be put.
    private let key: (condition: String, offset: Int)?

    /// The column of the first cell that conditions are evaluated on.
    static let firstCell = 2

    private init(
        _ columns: String, _ values: [SQLValue], _ soup: RegisteredSoup, _ conditions: [SQLCondition],
        isOrdered: Bool = false
    ) {
        let key = "{\(soup.name):_soupEntryId}"
        var text = "SELECT \(columns) FROM {\(soup.name)}"
        var arguments = values
        var word = " WHERE "
        for condition in conditions where !condition.isAlways {
            let part = SQLText(condition, isNullSafe: false)
            text += word
            text += part.text
            arguments += part.arguments
            word = " AND "
        }
        self.key = ("\(word)\(key) > ?", text.utf8.count)
        self.text = isOrdered ? "\(text) ORDER BY \(key)" : text
        self.arguments = arguments
    }

    private init(text: String, arguments: [SQLValue]) {
        self.text = text
        self.arguments = arguments
        key = nil
    }

    /// The statement for the rows after an id.
    func after(_ id: Int64) -> CandidateStatement {
        guard id > .min, let key else { return self }
        var text = text
        text.insert(contentsOf: key.condition, at: text.utf8.index(text.startIndex, offsetBy: key.offset))
        var statement = CandidateStatement(text: text, arguments: arguments + [.integer(id)])
        statement.hasEntries = hasEntries
        return statement
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
    static func walk(_ plan: FilterPlan, _ soup: RegisteredSoup) -> CandidateStatement {
        let (columns, values) = columns(plan, soup, entries: true)
        return CandidateStatement(columns, values, soup, [plan.candidate], isOrdered: true)
    }

    /// Finds the ids of the candidates, in any order.
    static func ids(_ plan: FilterPlan, _ soup: RegisteredSoup) -> CandidateStatement {
        let (columns, values) = columns(plan, soup, entries: false)
        var statement = CandidateStatement(
            columns, values, soup, [plan.candidate])
        statement.hasEntries = false
        return statement
    }

    /// Finds the rows that have the one value of a condition, in the order of their ids.
    static func point(
        _ search: PointSearch, _ plan: FilterPlan, _ soup: RegisteredSoup
    ) -> CandidateStatement {
        let (columns, values) = columns(plan, soup, sure: search.sure, entries: true)
        return CandidateStatement(columns, values, soup, [search.cells], isOrdered: true)
    }

    /// Finds out whether there are candidates with another value.
    static func others(_ search: PointSearch, _ soup: RegisteredSoup) -> CandidateStatement {
        let parts = search.others.map { CandidateStatement("1", [], soup, [$0]) }
        return CandidateStatement(
            text: parts.map(\.text).joined(separator: " UNION ALL "), arguments: parts.flatMap(\.arguments))
    }

    /// Counts the candidates.
    static func count(_ plan: FilterPlan, _ soup: RegisteredSoup) -> CandidateStatement {
        CandidateStatement("count(*)", [], soup, [plan.candidate])
    }

    /// Finds the candidates that must be looked at.
    static func unsure(_ plan: FilterPlan, _ soup: RegisteredSoup) -> CandidateStatement {
        let columns = ["{\(soup.name):_soupEntryId}", "0"] + plan.cells + ["{\(soup.name):_soup}"]
        return CandidateStatement(
            columns.joined(separator: ", "), [], soup, [plan.candidate, .opposite(plan.sure)])
    }
}
