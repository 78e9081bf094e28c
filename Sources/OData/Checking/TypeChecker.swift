import Soups

/// Finds the type of every node of an expression, and throws for errors that can be detected without data.
///
/// With a model and an entity type, names are checked as well (`unknownProperty`). Without them the type of a path is
/// unknown, and only literals and results of functions have types. Operands that can never match are a `typeMismatch`
/// at the offset of the operand.
///
/// Source: OData URL Conventions 4.01, 5.1.1.1, 5.1.1.2 and 5.1.1.18.
struct TypeChecker {
    let expression: ODataExpression
    let model: EdmModel?
    /// The type of the entity at which paths start.
    let entityType: StaticType
    /// The type of `$it`: in nested options that of the outermost entity.
    let outermost: StaticType
    var types: [StaticType]
    /// Lambda variables, the innermost last.
    var variables: [(name: ArraySlice<UInt8>, type: StaticType)] = []
    /// For each node that is a path beginning with a lambda variable, the index of that variable, counted from the
    /// outermost lambda; -1 for other nodes.
    var slots: [Int]
    /// For each value of a key in a path, the path of its key property.
    var keyPaths: [Int: [String]] = [:]
    /// For each type in a path, and for each `cast` and `isof` without an operand, the declared type of what is cast.
    var castTypes: [Int: StaticType] = [:]
    /// For each string literal with members of an enumeration, the qualified name of the enumeration.
    var memberLiterals: [Int: String] = [:]
    /// The type at which a path starts. Inside `$filter(...)` it is the type of the members.
    var current: StaticType

    /// The names that `$compute` and `$apply` give to their results.
    let computedNames: Set<ByteKey>
    /// The aliases that the expression may use. Without a value an alias has an unknown type.
    var aliases: AliasScope?
    /// The types of the aliases whose values were checked. Each is checked once, however often it is used.
    var aliasTypes: [ByteKey: StaticType] = [:]
    /// The number of aliases around this expression, which is the value of the innermost one.
    var aliasDepth = 0

    /// - Parameter outermost: The type of `$it`; nil if it is that of the entity.
    init(
        _ expression: ODataExpression, model: EdmModel?, entityType: String?, outermost: StaticType? = nil,
        computedNames: Set<ByteKey> = []
    ) {
        let name = entityType.flatMap { name in model.map { $0.resolve(name) } }
        self.init(
            expression, model: model, startingAt: name.map { StaticType(base: .structured($0)) } ?? .unknown,
            outermost: outermost, computedNames: computedNames)
    }

    /// - Parameter start: The type of the value at which paths start, which may also be a primitive value.
    init(
        _ expression: ODataExpression, model: EdmModel?, startingAt start: StaticType, outermost: StaticType? = nil,
        computedNames: Set<ByteKey> = []
    ) {
        self.expression = expression
        self.model = model
        self.computedNames = computedNames
        entityType = start
        self.outermost = outermost ?? start
        current = self.entityType
        types = Array(repeating: .unknown, count: expression.nodes.count)
        slots = Array(repeating: -1, count: expression.nodes.count)
    }

    func mismatch(_ message: String, at node: Int) -> Fault {
        Fault(.typeMismatch, message, offset: expression.nodes[node].range.lowerBound)
    }

    @discardableResult mutating func check(_ node: Int) throws(Fault) -> StaticType {
        // A chain on the left side may be as long as the text, so it is followed in a loop.
        var spine: [Int] = []
        var lowest = node
        while expression.nodes[lowest].kind.isBinaryOperator {
            spine.append(lowest)
            lowest = Int(expression.nodes[lowest].first)
        }
        var type = try checkOther(lowest)
        types[lowest] = type
        for operation in spine.reversed() {
            let left = Int(expression.nodes[operation].first)
            let right = Int(expression.nodes[left].next)
            let rightType = try check(right)
            type = try binary(expression.nodes[operation].kind, (left, type), (right, rightType))
            types[operation] = type
        }
        return type
    }

    private mutating func checkOther(_ node: Int) throws(Fault) -> StaticType {
        let children = expression.children(of: node)
        switch expression.nodes[node].kind {
        case .null: return .null
        case .literal: return try literal(node)
        case .path: return try path(node)
        case .it: return outermost
        case .alias: return try alias(node)
        case .not: return try boolean(children[0])
        case .negate:
            let type = try check(children[0])
            guard type.isNumeric || type.primitive == .duration else {
                throw mismatch("the operand of '-' must be a number or a duration", at: children[0])
            }
            return type
        case .call: return try call(node, children)
        case .any, .all: return try lambda(children)
        case .count:
            let type = try check(children[0])
            guard type.isCollection || type.base == .unknown else {
                throw mismatch("$count needs a collection", at: children[0])
            }
            if children.count == 2 {
                try checkPredicate(children[1], of: type.element)
            }
            return .primitive(.int64)
        case .list, .array:
            var element: StaticType?
            for child in children {
                let type = try check(child)
                element = element == nil || element == type ? type : .unknown
            }
            return StaticType(
                base: element?.isCollection == false ? element?.base ?? .unknown : .unknown, isCollection: true)
        case .object:
            for child in children {
                try check(Int(expression.nodes[child].first))
            }
            return .unknown
        case .cast, .isof: return try typeCall(node, children)
        case .conditional:
            var result: StaticType?
            for branch in children {
                let parts = expression.children(of: branch)
                try boolean(parts[0])
                let type = try check(parts[1])
                result = result == nil || result == type ? type : .unknown
            }
            return result ?? .unknown
        default: return .unknown
        }
    }

    private func literal(_ node: Int) throws(Fault) -> StaticType {
        guard let type = LiteralType(rawValue: expression.nodes[node].detail) else {
            return .unknown
        }
        if let primitive = type.primitiveType {
            return .primitive(primitive)
        }
        let value = expression.value(of: node)
        if case .enumeration(let name?, let members) = value, let model, model.enumType(name) != nil {
            guard model.enumValue(of: members, in: name, isFlags: true) != nil else {
                throw Fault(
                    .invalidLiteral, "the enumeration has no member of this name",
                    offset: expression.nodes[node].range.lowerBound)
            }
        }
        if case .enumeration(let name, _) = value {
            return StaticType(base: .enumeration(model?.resolve(name ?? "") ?? name ?? ""))
        }
        return value.primitiveType.map(StaticType.primitive) ?? .unknown
    }

    @discardableResult private mutating func boolean(_ node: Int) throws(Fault) -> StaticType {
        let type = try check(node)
        guard mayBeBoolean((node, type)) else {
            throw mismatch("expected a boolean", at: node)
        }
        return .boolean
    }

    /// Whether an operand may be a boolean. What arithmetic gives never is one, also where its type depends on data.
    func mayBeBoolean(_ operand: Operand) -> Bool {
        switch expression.nodes[operand.node].kind {
        case .add, .subtract, .multiply, .divide, .divideBy, .modulo, .negate: false
        default: operand.type.isOpen(or: .boolean)
        }
    }

    /// Checks that the whole expression is a condition.
    mutating func checkFilter() throws(Fault) { try boolean(expression.root) }

    /// Checks a predicate about the members of a collection. Its paths start at a member.
    mutating func checkPredicate(_ node: Int, of element: StaticType) throws(Fault) {
        let outer = current
        current = element
        try boolean(node)
        current = outer
    }

    private mutating func lambda(_ children: [Int]) throws(Fault) -> StaticType {
        let collection = try check(children[0])
        guard collection.isCollection || collection.base == .unknown else {
            throw mismatch("'any' and 'all' need a collection", at: children[0])
        }
        guard children.count == 3 else {
            return .boolean
        }
        variables.append((expression.bytes(of: children[1]), collection.element))
        try boolean(children[2])
        variables.removeLast()
        return .boolean
    }

    private mutating func typeCall(_ node: Int, _ children: [Int]) throws(Fault) -> StaticType {
        for operand in children.dropLast() {
            try check(operand)
        }
        if children.count == 1 {
            castTypes[node] = current
        }
        let isCast = expression.nodes[node].kind == .cast
        let type = children[children.count - 1]
        let reference = EdmTypeReference(text: expression.text(of: type))
        if let model, !model.mayHaveType(reference.name) {
            throw Fault(
                .unknownProperty, "unknown type", offset: expression.nodes[type].range.lowerBound,
                context: [.path(reference.name)])
        }
        guard isCast else {
            return .boolean
        }
        if let model {
            return StaticType(reference, in: model)
        }
        return StaticType(
            base: reference.primitiveType.map(StaticType.Base.primitive) ?? .unknown,
            isCollection: reference.isCollection)
    }
}
