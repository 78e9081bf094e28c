package import Soups

/// A row as the options of a query see it.
package typealias RowResult = ResultNode<RowNode>

/// Applies the options of one query to rows, one at a time.
package struct RowExecution {
    var execution: OptionExecution<RowNode>
    let options: PreparedOptions
    /// The comparison that the condition of a node is, of the node that was looked at last.
    private var spelling: (node: Int, spelling: NumberSpelling?)?

    package init(_ options: PreparedOptions, query: RowQuery) {
        self.options = options
        execution = OptionExecution(model: query.model, limits: query.limits)
    }

    /// The row with its computed members.
    ///
    /// - Throws: what evaluating throws; `invalidArguments` for a computed name that the row has.
    package mutating func computed(_ row: RowNode) throws(Fault) -> RowResult {
        var result = RowResult.data(row)
        try execution.compute(options.computations, for: &result)
        return result
    }

    /// Whether the filter keeps a row.
    package mutating func keeps(_ row: RowResult) throws(Fault) -> Bool {
        guard let filter = options.filter else {
            return true
        }
        return try execution.keeps(row, filter, Conjuncts(all: filter.expression.root))
    }

    /// Whether some conjuncts of the filter are true, as far as cells tell; nil if the row must be read.
    package mutating func keeps(
        _ conjuncts: Conjuncts, _ progress: inout ConjunctProgress, cell: (Int) -> CellText
    ) throws(Fault) -> Bool? {
        guard let filter = options.filter else {
            return true
        }
        return try execution.keeps(filter, conjuncts, &progress, cell: cell)
    }

    /// Whether some conjuncts of the filter, those that are left, are true for a row.
    package mutating func keeps(
        _ row: RowNode, _ conjuncts: Conjuncts, _ progress: ConjunctProgress = ConjunctProgress()
    ) throws(Fault) -> Bool {
        guard let filter = options.filter else {
            return true
        }
        if let node = conjuncts.onlyNode, let spelling = spelling(of: node, filter), spelling.isWritten(in: row) {
            try execution.pay(NumberSpelling.steps)
            return true
        }
        return try execution.keeps(row, filter, conjuncts, progress)
    }

    private mutating func spelling(of node: Int, _ filter: ODataEvaluator) -> NumberSpelling? {
        if let spelling, spelling.node == node {
            return spelling.spelling
        }
        // An evaluation that the limits end must come to its end.
        let found = execution.limits.steps < NumberSpelling.steps ? nil : NumberSpelling(node, of: filter)
        spelling = (node, found)
        return found
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
        guard options.selection == nil, !options.expansions.isEmpty, let object = row.asObject else {
            RowText.append(try execution.project(row, options), to: &text)
            return text
        }
        // Without $select the members of the row are written as they are.
        let expanded = try execution.expanded(row, options)
        text.reserveCapacity((object.origin?.bytes.count ?? 0) + RowText.byteCount(of: expanded))
        RowText.append(object, without: options.names(replacedBy: expanded), expanded, to: &text)
        return text
    }
}
