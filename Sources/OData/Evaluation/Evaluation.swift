import Soups

/// One evaluation of an expression for one entity. It recurses as deep as the expression is nested, which the parser
/// limits; chains of operators are evaluated in a loop.
struct Evaluation<Node: EntityNode> {
    typealias Value = Term<Node>

    let evaluator: ODataEvaluator
    let entity: Node
    /// The value of `$root`, if the caller gave one.
    let root: Node?
    /// The node at which the paths of the expression and of its aliases start: the entity, or a member of an expanded
    /// property, where the entity is only `$it`.
    let start: Node
    /// The node at which paths start here: the one above, or a member inside `$filter(...)`.
    var current: Node
    /// The values of lambda variables, the innermost last.
    var variables: [Value] = []
    /// The expressions of the parameter aliases; `aliasValues` has their values, computed once for each evaluation.
    var aliases: [ByteKey: ODataEvaluator]
    var aliasValues: [ByteKey: Value] = [:]
    var budget: EvaluationBudget
    /// Inside lambdas, the values of paths that do not depend on a member, and their members as sets, by node.
    var invariants: [Int: Value] = [:]
    var memberSets: [Int: MemberSet?] = [:]
    /// Whether the node is inside a `$filter(...)` segment, in which paths start at a member.
    var isInsideFilter = false

    /// - Parameter start: The node at which paths start; nil for the entity.
    init(_ evaluator: ODataEvaluator, entity: Node, start: Node? = nil, root: Node?) {
        self.evaluator = evaluator
        self.entity = entity
        self.root = root
        self.start = start ?? entity
        current = self.start
        aliases = evaluator.aliases
        budget = EvaluationBudget(evaluator.limits)
    }

    var version: ODataVersion { evaluator.expression.version }

    func node(_ index: Int) -> ExpressionNode { evaluator.expression.nodes[index] }

    mutating func term(_ index: Int) throws(Fault) -> Value {
        guard node(index).kind.isBinaryOperator else {
            return try other(index)
        }
        let left = Int(node(index).first)
        if !node(left).kind.isBinaryOperator {
            return try apply(index, try other(left))
        }
        var spine: [Int] = []
        var lowest = index
        while node(lowest).kind.isBinaryOperator {
            spine.append(lowest)
            lowest = Int(node(lowest).first)
        }
        var result = try other(lowest)
        for operation in spine.reversed() {
            result = try apply(operation, result)
        }
        return result
    }

    /// Applies a binary operator to the value of its left operand. `and` and `or` evaluate the right operand only if it
    /// decides the result.
    private mutating func apply(_ index: Int, _ left: Value) throws(Fault) -> Value {
        let right = Int(node(Int(node(index).first)).next)
        try budget.spend()
        switch node(index).kind {
        case .and: return try conjunction(left.boolean, right)
        case .or: return try disjunction(left.boolean, right)
        case .equal:
            let right = try term(right)
            return .boolean(try areEqual(left, right, isTyped: isTyped(index), at: index))
        case .notEqual:
            let right = try term(right)
            return .boolean(try !areEqual(left, right, isTyped: isTyped(index), at: index))
        case .greater, .greaterOrEqual, .less, .lessOrEqual:
            let right = try term(right)
            return .boolean(try isOrdered(node(index).kind, left, right, isTyped: isTyped(index)))
        case .in:
            if let set = evaluator.memberSets[right], let isMember = set.contains(left, isTyped: true) {
                return .boolean(isMember)
            }
            let list = try term(right)
            let isTyped = !isUndeclared(Int(node(index).first))
            return .boolean(try isMember(left, isTyped: isTyped, in: list, at: right))
        case .has:
            let flags = try term(right)
            return .boolean(try has(left, flags))
        default:
            let right = try term(right)
            let offset = node(index).range.lowerBound
            return .value(try Self.arithmetic(node(index).kind, left, right, version: version, offset: offset))
        }
    }

    /// Whether at least one operand of a comparison has a known type. Two values of data without declared types are
    /// compared without conversion.
    func isTyped(_ index: Int) -> Bool {
        let left = Int(node(index).first)
        return !isUndeclared(left) || !isUndeclared(Int(node(left).next))
    }

    private func isUndeclared(_ index: Int) -> Bool {
        (node(index).kind == .path || node(index).kind == .it) && evaluator.types[index].base == .unknown
    }

    /// Evaluates `and` with three-valued logic in 4.x; up to 3.0 null counts as false.
    private mutating func conjunction(_ left: Bool?, _ right: Int) throws(Fault) -> Value {
        if left == false {
            return .boolean(false)
        }
        let right = try term(right).boolean
        if version.isV4 {
            return .boolean(right == false ? false : left == nil ? nil : right)
        }
        return .boolean(left == true && right == true)
    }

    private mutating func disjunction(_ left: Bool?, _ right: Int) throws(Fault) -> Value {
        if left == true {
            return .boolean(true)
        }
        let right = try term(right).boolean
        if version.isV4 {
            return .boolean(right == true ? true : left == nil ? nil : right)
        }
        return .boolean(right == true)
    }

    private mutating func other(_ index: Int) throws(Fault) -> Value {
        let first = Int(node(index).first)
        try budget.spend()
        switch node(index).kind {
        case .null: return .null
        case .literal: return .value(evaluator.literals[index])
        case .path: return try path(index)
        case .it: return Value(entity, declared: evaluator.types[index])
        case .alias: return try alias(evaluator.names[index])
        case .not:
            let value = try term(first).boolean
            return .boolean(value.map { !$0 })
        case .negate:
            let offset = node(index).range.lowerBound
            return .value(try Self.negated(try term(first), offset: offset))
        case .call: return try call(index)
        case .any, .all: return .boolean(try lambda(index))
        case .count: return .value(.int64(Int64(try count(first))))
        case .list, .array:
            var terms: [Value] = []
            for child in evaluator.expression.children(of: index) {
                terms.append(try term(child))
            }
            return .list(terms)
        case .object: return .value(.complex(try members(index)))
        case .cast, .isof: return try typeCall(index)
        case .conditional:
            for branch in evaluator.expression.children(of: index) {
                let parts = evaluator.expression.children(of: branch)
                if try term(parts[0]).boolean == true {
                    return try term(parts[1])
                }
            }
            return .null
        default: return .null
        }
    }

    private mutating func members(_ index: Int) throws(Fault) -> [ODataValue.Member] {
        var members: [ODataValue.Member] = []
        for child in evaluator.expression.children(of: index) {
            let value = try term(Int(node(child).first)).value()
            members.append(ODataValue.Member(evaluator.expression.memberName(child), value))
        }
        return members
    }

    /// The value of an alias, computed once; null for an alias without a value.
    mutating func alias(_ name: String) throws(Fault) -> Value {
        let key = ByteKey(name)
        if let known = aliasValues[key] {
            return known
        }
        guard let alias = aliases[key] else {
            return .null
        }
        var run = Evaluation(alias, entity: entity, start: start, root: root)
        run.aliases = aliases
        run.budget = budget
        swap(&run.aliasValues, &aliasValues)
        let value = try run.term(alias.expression.root)
        swap(&run.aliasValues, &aliasValues)
        budget = run.budget
        aliasValues[key] = value
        return value
    }
}
