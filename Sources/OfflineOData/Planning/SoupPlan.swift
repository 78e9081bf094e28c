import OData
import Soups
import Synchronization

/// How a query is answered over one soup: its plans, and the statements that find rows.
///
/// All of it follows from the filter and from what is known of the soup. Equal ones have the same plan, whatever store
/// they are of. What is asked for is made once.
final class SoupPlan: Sendable {
    private enum Form {
        case walk, ids, point, others, count, unsure
    }

    private struct Made {
        var walking: FilterPlan?
        /// The order along an index; the inner nil if the query must sort.
        var order: IndexOrder??
        /// Two or three of them, as a rule.
        var statements: [(form: Form, statement: CandidateStatement)] = []
    }

    let soup: RegisteredSoup
    let filter: ODataEvaluator?
    /// How the indexes of the soup answer the filter.
    let indexed: FilterPlan
    private let usesIndexes: Bool
    private let pointSearch: PointSearch?
    /// Proves the one value of most candidates by the text of a row; nil if only the cells may do that.
    let pointProof: PointProof?
    private let made = Mutex(Made())

    /// - Parameter usesIndexes: Whether indexes may be used; otherwise the filter is evaluated for all rows.
    init(_ filter: ODataEvaluator?, soup: RegisteredSoup, usesIndexes: Bool) {
        self.filter = filter
        self.soup = soup
        self.usesIndexes = usesIndexes && soup.canBeNamed
        let indexed = Self.plan(filter, soup, usesIndexes: self.usesIndexes, walks: false)
        self.indexed = indexed
        let proof = filter.flatMap { PointProof(indexed, of: $0) }
        pointProof = proof
        var search = indexed.point
        if proof != nil {
            // The text is the cheaper proof: from 3.45 on, SQLite does not take a value of json_extract from its index.
            search?.sure = .never
        }
        pointSearch = search
    }

    private static func plan(
        _ filter: ODataEvaluator?, _ soup: RegisteredSoup, usesIndexes: Bool, walks: Bool
    ) -> FilterPlan {
        guard let filter, usesIndexes else {
            return FilterPlan(evaluating: filter)
        }
        return FilterPlan(filter, soup: soup, walks: walks)
    }

    /// How a walk over the table answers the filter.
    var walking: FilterPlan {
        made.withLock { made in
            let plan = made.walking ?? Self.plan(filter, soup, usesIndexes: usesIndexes, walks: true)
            made.walking = plan
            return plan
        }
    }

    /// The order along an index, made once; nil if the query must sort.
    func order(_ make: () -> IndexOrder?) -> IndexOrder? {
        made.withLock { made in
            if let known = made.order {
                return known
            }
            let order = make()
            made.order = .some(order)
            return order
        }
    }

    private func statement(_ form: Form, _ make: () -> CandidateStatement) -> CandidateStatement {
        made.withLock { made in
            if let known = made.statements.first(where: { $0.form == form }) {
                return known.statement
            }
            let statement = make()
            made.statements.append((form, statement))
            return statement
        }
    }
}

// MARK: - Statements

extension SoupPlan {
    /// The plan of the statement that finds candidates first.
    var first: FilterPlan { indexed.narrows ? indexed : walking }

    /// The statement that finds candidates first.
    var firstStatement: CandidateStatement { indexed.narrows ? point ?? ids : walk }

    /// Walks over the table.
    var walk: CandidateStatement {
        let plan = walking
        return statement(.walk) { .walk(plan, soup) }
    }

    /// Finds the ids of the candidates, in any order.
    var ids: CandidateStatement { statement(.ids) { .ids(indexed, soup) } }

    /// Finds the rows that have the one value of a condition, in the order of their ids; nil if there is no such value.
    var point: CandidateStatement? {
        pointSearch.map { search in statement(.point) { .point(search, indexed, soup) } }
    }

    /// Finds out whether there are candidates without the one value; nil if there cannot be any.
    var others: CandidateStatement? {
        guard let search = pointSearch, !search.others.isEmpty else { return nil }
        return statement(.others) { .others(search, soup) }
    }

    /// Counts the candidates.
    var count: CandidateStatement { statement(.count) { .count(indexed, soup) } }

    /// Finds the candidates that must be looked at.
    var unsure: CandidateStatement { statement(.unsure) { .unsure(indexed, soup) } }
}
