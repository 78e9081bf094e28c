package import Soups

/// A row as the options of a query see it.
package typealias RowResult = ResultNode<RowNode>

/// Applies the options of one query to rows, one at a time.
package struct RowExecution {
    private var execution: OptionExecution<RowNode>
    private let options: PreparedOptions

    package init(_ options: PreparedOptions, query: RowQuery) {
        self.options = options
        execution = OptionExecution(model: query.model, limits: query.limits)
    }

    /// The row with its computed members.
    ///
    /// - Throws: what evaluating throws; `invalidArguments` for a computed name that the row has.
    package mutating func computed(_ row: RowNode) throws(Fault) -> RowResult {
        try execution.compute(options.computations, for: .data(row))
    }

    /// Whether the filter keeps a row.
    package mutating func keeps(_ row: RowResult) throws(Fault) -> Bool {
        guard let filter = options.filter else {
            return true
        }
        return try execution.keeps(row, filter, Conjuncts(all: filter.expression.root))
    }

    /// Whether some conjuncts of the filter are true for a row.
    package mutating func keeps(_ row: RowNode, _ conjuncts: Conjuncts) throws(Fault) -> Bool {
        guard let filter = options.filter else {
            return true
        }
        return try execution.keeps(row, filter, conjuncts)
    }

    /// What the row is sorted by.
    package mutating func sortKeys(of row: RowResult) throws(Fault) -> [SortKey] {
        var keys: [SortKey] = []
        for item in options.order {
            keys.append(SortKey(try execution.evaluate(item.evaluator, for: row), model: execution.model))
        }
        return keys
    }

    /// Whether the bytes of a row are not its result.
    package var projects: Bool {
        options.selection != nil || !options.expansions.isEmpty || !options.computations.isEmpty
    }

    /// The text of the result of a row: with `$select` and `$expand`, whose related rows are members of it already.
    package mutating func text(of row: RowResult) throws(Fault) -> [UInt8] {
        var text: [UInt8] = []
        RowText.append(try execution.project(row, options), to: &text)
        return text
    }
}

/// Conjuncts of a filter that are evaluated one after the other.
package struct Conjuncts: Sendable {
    /// The nodes, from left to right; nil for conjuncts that are known to be true.
    private(set) var nodes: [Int?]
    /// Whether nothing is left to evaluate.
    package let isEmpty: Bool

    package init(_ nodes: [Int?]) {
        self.nodes = nodes
        isEmpty = nodes.allSatisfy { $0 == nil }
    }

    init(all root: Int) { self.init([root]) }
}

extension OptionExecution {
    /// Evaluates conjuncts as `and` does: it stops at false, but not at null.
    fileprivate mutating func keeps<Row: EntityNode>(
        _ row: Row, _ filter: ODataEvaluator, _ conjuncts: Conjuncts
    ) throws(Fault) -> Bool {
        var run = Evaluation(filter, entity: row, root: nil)
        var result: Bool? = true
        var isFirst = true
        for node in conjuncts.nodes {
            var value: Bool? = true
            if let node {
                value = try run.term(node).boolean
            }
            if isFirst || filter.expression.version.isV4 {
                result = value == false ? false : result == nil ? nil : value
            } else {
                result = result == true && value == true
            }
            isFirst = false
            if result == false {
                break
            }
        }
        steps -= limits.steps - run.budget.steps
        guard steps >= 0 else {
            throw Fault(.limitExceeded, "the query takes too many steps; raise Limits.querySteps")
        }
        return result == true
    }
}

extension ODataEvaluator {
    /// The truth of a part of the condition for an entity; nil for null.
    package func truth<Node: EntityNode>(of node: Int, for entity: Node) throws(Fault) -> Bool? {
        var run = Evaluation(self, entity: entity, root: nil)
        return try run.term(node).boolean
    }
}
