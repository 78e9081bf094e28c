import Soups

/// The path of a value, and the number of the cell that holds its text.
package struct CellPath: Sendable {
    package let names: [String]
    package let number: Int

    package init(_ names: [String], number: Int) {
        self.names = names
        self.number = number
    }
}

/// What a cell says of the value in the row.
package enum CellText {
    case null
    case text(String)
    /// The value may be a text or something else.
    case unsure
}

/// Conjuncts of a filter that are evaluated one after the other.
package struct Conjuncts: Sendable {
    /// A conjunct, and the cell that it can be evaluated on.
    package struct Part: Sendable {
        let node: Int
        let cell: CellPath?

        package init(_ node: Int, on cell: CellPath? = nil) {
            self.node = node
            self.cell = cell
        }
    }

    /// From left to right; nil for conjuncts that are known to be true.
    let parts: [Part?]
    /// Whether nothing is left to evaluate.
    package let isEmpty: Bool
    /// Whether the first one that is left can be evaluated on a cell.
    package let beginsOnCell: Bool
    /// The only one that is left; nil if there are others.
    let onlyNode: Int?

    package init(_ parts: [Part?]) {
        self.parts = parts
        let left = parts.compactMap { $0 }
        let first = left.first
        isEmpty = first == nil
        onlyNode = left.count == 1 ? left[0].node : nil
        beginsOnCell = first?.cell != nil
    }

    init(all root: Int) { self.init([Part(root)]) }
}

/// How far the conjuncts of a row are evaluated.
package struct ConjunctProgress {
    fileprivate var next = 0
    fileprivate var result: Bool? = true
    fileprivate var budget: EvaluationBudget?

    package init() {}

    /// Takes the value of the next conjunct, as `and` does: it stops at false, but not at null.
    fileprivate mutating func take(_ value: Bool?, isV4: Bool) {
        if next == 0 || isV4 {
            result = value == false ? false : result == nil ? nil : value
        } else {
            result = result == true && value == true
        }
        next += 1
    }
}

extension OptionExecution {
    /// Evaluates conjuncts on cells until they decide, or until one needs the row: nil.
    mutating func keeps(
        _ filter: ODataEvaluator, _ conjuncts: Conjuncts, _ progress: inout ConjunctProgress,
        cell: (Int) -> CellText
    ) throws(Fault) -> Bool? {
        let isV4 = filter.expression.version.isV4
        while progress.next < conjuncts.parts.count, progress.result != false {
            guard let part = conjuncts.parts[progress.next] else {
                progress.take(true, isV4: isV4)
                continue
            }
            guard let path = part.cell else { return nil }
            let text: String?
            switch cell(path.number) {
            case .null: text = nil
            case .text(let known): text = known
            case .unsure: return nil
            }
            let value = try truth(of: part.node, filter, CellRow(path.names, text: text), &progress)
            progress.take(value, isV4: isV4)
        }
        return progress.result == true
    }

    /// Evaluates the conjuncts that are left on the row.
    mutating func keeps<Row: EntityNode>(
        _ row: Row, _ filter: ODataEvaluator, _ conjuncts: Conjuncts, _ progress: ConjunctProgress = .init()
    ) throws(Fault) -> Bool {
        var progress = progress
        let isV4 = filter.expression.version.isV4
        var run = Evaluation(filter, entity: row, root: nil)
        if let budget = progress.budget {
            run.budget = budget
        }
        let start = run.budget.steps
        while progress.next < conjuncts.parts.count, progress.result != false {
            guard let part = conjuncts.parts[progress.next] else {
                progress.take(true, isV4: isV4)
                continue
            }
            progress.take(try run.term(part.node).boolean, isV4: isV4)
        }
        try pay(start - run.budget.steps)
        return progress.result == true
    }

    private mutating func truth<Row: EntityNode>(
        of node: Int, _ filter: ODataEvaluator, _ row: Row, _ progress: inout ConjunctProgress
    ) throws(Fault) -> Bool? {
        var run = Evaluation(filter, entity: row, root: nil)
        if let budget = progress.budget {
            run.budget = budget
        }
        let start = run.budget.steps
        let value = try run.term(node).boolean
        progress.budget = run.budget
        try pay(start - run.budget.steps)
        return value
    }
}

extension ODataEvaluator {
    /// The truth of a part of the condition for an entity; nil for null.
    package func truth<Node: EntityNode>(of node: Int, for entity: Node) throws(Fault) -> Bool? {
        var run = Evaluation(self, entity: entity, root: nil)
        return try run.term(node).boolean
    }
}
