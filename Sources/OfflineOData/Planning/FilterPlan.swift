import OData
import Soups

/// How the filter of a query is answered: what a statement tests, and what is evaluated for the rows that it finds.
struct FilterPlan: Sendable {
    /// One conjunct of the filter.
    struct Conjunct: Sendable {
        let node: Int
        /// What the indexes tell; nil if the conjunct is evaluated for all rows.
        let bounds: Bounds?
        /// Why nothing is known.
        let reason: Reason?
        /// The cell that the conjunct is evaluated on where it is plain; nil if there is none.
        var cell: CellPath?

        enum Answer: String, Sendable { case sql, superset, residual }

        var answer: Answer {
            guard let bounds, bounds.narrows else { return .residual }
            return bounds.sure.isAlways ? .sql : .superset
        }

        /// Whether some rows need not be evaluated.
        var isDecided: Bool { bounds.map { !$0.sure.isNever } ?? false }
    }

    enum Reason: String, Sendable {
        case noIndex = "the index, if there is one, tells nothing about this condition"
        case computed = "members are computed first"
        case mayFail = "it may fail for a row, so it is evaluated in its turn"
        case follows = "it follows a condition that may fail for a row"
        case tooMany = "the query has more conditions than a statement should have"
    }

    let conjuncts: [Conjunct]
    let candidate: SQLCondition
    let sure: SQLCondition
    /// The cells that conjuncts are evaluated on, in Smart SQL.
    let cells: [String]
    let whenSure: Conjuncts
    let whenUnsure: Conjuncts

    /// The maximum number of conjuncts of a statement.
    static let maximumConjuncts = 64

    /// The maximum number of values of a statement. SQLite takes 32,766, of which one is the id of a page.
    static let maximumValues = 32_000

    /// The maximum number of tests of a conjunct. SQLite looks for an index for each of them, in a time that grows with
    /// their square: 8,000 take more than two seconds.
    static let maximumTests = 2_000

    /// A plan that evaluates everything.
    init(evaluating filter: ODataEvaluator?) {
        conjuncts = filter.map { [Conjunct(node: $0.expression.root, bounds: nil, reason: .computed)] } ?? []
        candidate = .always
        sure = .always
        cells = []
        whenUnsure = Conjuncts(conjuncts.map { Conjuncts.Part($0.node) })
        whenSure = whenUnsure
    }

    init(_ filter: ODataEvaluator, soup: RegisteredSoup, walks: Bool) {
        let planner = ConjunctPlanner(filter: filter, soup: soup, walks: walks)
        let root = filter.expression.root
        let nodes = filter.expression.nodes[root].kind == .and ? planner.arms(of: root) : [root]
        let throwing = Throwing(filter)
        let firstThrowing = nodes.firstIndex { throwing[$0] }
        var pushed = 0
        var values = 0
        let planned = nodes.enumerated().map { index, node in
            if let firstThrowing, index >= firstThrowing {
                return Conjunct(node: node, bounds: nil, reason: index == firstThrowing ? .mayFail : .follows)
            }
            // A null before a condition that fails does not keep it from being evaluated.
            if firstThrowing != nil, !planner.isTwoValued(node) {
                return Conjunct(node: node, bounds: nil, reason: .mayFail)
            }
            guard pushed < Self.maximumConjuncts else {
                return Conjunct(node: node, bounds: nil, reason: .tooMany)
            }
            guard var bounds = planner.bounds(node) else {
                return Conjunct(node: node, bounds: nil, reason: .noIndex)
            }
            if values + bounds.valueCount > Self.maximumValues {
                bounds = bounds.withoutProof
            }
            guard values + bounds.valueCount <= Self.maximumValues, bounds.candidate.testCount <= Self.maximumTests
            else {
                return Conjunct(node: node, bounds: nil, reason: .tooMany)
            }
            values += bounds.valueCount
            pushed += 1
            return Conjunct(node: node, bounds: bounds, reason: nil)
        }
        var cells = TextCells()
        conjuncts = planned.map { conjunct in
            var conjunct = conjunct
            if conjunct.answer != .sql, let cell = planner.onlyTextCell(of: conjunct.node) {
                conjunct.cell = cells.add(cell)
            }
            return conjunct
        }
        self.cells = cells.columns
        candidate = .all(conjuncts.compactMap { $0.bounds?.candidate })
        sure = .all(conjuncts.filter(\.isDecided).compactMap { $0.bounds?.sure })
        whenSure = Conjuncts(conjuncts.map { $0.isDecided ? nil : Conjuncts.Part($0.node, on: $0.cell) })
        whenUnsure = Conjuncts(conjuncts.map { $0.answer == .sql ? nil : Conjuncts.Part($0.node, on: $0.cell) })
    }

    /// Whether a statement finds some rows and not others.
    var narrows: Bool { !candidate.isAlways }

    /// The one value that most of the candidates have, if only one condition finds candidates; nil if there is no such
    /// value.
    var point: PointSearch? {
        let bounds = conjuncts.compactMap(\.bounds)
        return bounds.count == 1 ? bounds[0].point : nil
    }

    /// Whether the conditions alone say for some rows that they are in the result.
    var isDecided: Bool { whenSure.isEmpty }
}
