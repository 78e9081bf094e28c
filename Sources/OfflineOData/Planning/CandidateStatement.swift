import Soups

/// A statement that finds rows: their ids, whether the conditions prove them, and in most forms their entries.
struct CandidateStatement: Sendable {
    let text: String
    let arguments: [SQLValue]

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

    private static func columns(_ plan: FilterPlan, _ soup: RegisteredSoup, entries: Bool) -> (String, [SQLValue]) {
        let sure = SQLText(plan.sure, isNullSafe: true)
        let head = "{\(soup.name):_soupEntryId}, \(sure.text)"
        return (entries ? head + ", {\(soup.name):_soup}" : head, sure.arguments)
    }

    /// Walks over the table.
    static func walk(_ plan: FilterPlan, _ soup: RegisteredSoup, after id: Int64) -> CandidateStatement {
        let (columns, values) = columns(plan, soup, entries: true)
        return CandidateStatement(columns, values, soup, [plan.candidate], after: id, isOrdered: true)
    }

    /// Finds the ids of the candidates, in any order.
    static func ids(_ plan: FilterPlan, _ soup: RegisteredSoup, after id: Int64) -> CandidateStatement {
        let (columns, values) = columns(plan, soup, entries: false)
        return CandidateStatement(columns, values, soup, [plan.candidate], after: id, isOrdered: false)
    }

    /// Finds the rows of one value in the order of their ids; nil if no conjunct is about one value.
    static func point(_ plan: FilterPlan, _ soup: RegisteredSoup, after id: Int64) -> CandidateStatement? {
        let bounds = plan.conjuncts.compactMap(\.bounds)
        guard bounds.count == 1, bounds[0].isPoint else { return nil }
        let (columns, values) = columns(plan, soup, entries: true)
        return CandidateStatement(columns, values, soup, [plan.candidate], after: id, isOrdered: true)
    }

    /// Counts the candidates.
    static func count(_ plan: FilterPlan, _ soup: RegisteredSoup) -> CandidateStatement {
        CandidateStatement("count(*)", [], soup, [plan.candidate], after: .min, isOrdered: false)
    }

    /// Finds the candidates that must be looked at.
    static func unsure(_ plan: FilterPlan, _ soup: RegisteredSoup) -> CandidateStatement {
        CandidateStatement(
            "{\(soup.name):_soupEntryId}, 0, {\(soup.name):_soup}", [], soup, [plan.candidate, .opposite(plan.sure)],
            after: .min, isOrdered: false)
    }
}
