import FoundationTypes
import JSONText
public import Soups

/// Computes the value of an expression for an entity. It is the reference: any other way to evaluate an expression must
/// give the same results.
///
/// ```swift
/// let filter = try ODataExpression(parsing: "Price lt 3 or startswith(Name,'M')")
/// let evaluator = try ODataEvaluator(filter: filter)
/// let items: [JSONValue] = [["Name": "Milk", "Price": 4], ["Name": "Tea", "Price": 5]]
/// let found = try items.filter { try evaluator.matches($0) == true }
/// ```
///
/// An evaluator is created once for each expression; it prepares names, types and literals, and never changes after
/// that. It is safe to share between threads. Without a model, data have the types of their JSON values, and text is
/// parsed as the type of the value that it is compared with; if that fails it is null.
///
/// Source: OData URL Conventions 4.01, 5.1.1; MS-ODATA 2.2.3.6.1.1 for 1.0 to 3.0.
public final class ODataEvaluator: Sendable {
    /// The expression that is evaluated.
    public let expression: ODataExpression
    let model: EdmModel?
    package let types: [StaticType]
    /// The declared type of the entities.
    let entityType: StaticType
    package let slots: [Int]
    /// For each value of a key in a path, the path of its key property.
    let keyPaths: [Int: [String]]
    /// For each type in a path, and for each `cast` and `isof` without an operand, the declared type of what is cast.
    let castTypes: [Int: StaticType]
    /// For each node, the value of its literal.
    package let literals: [ODataValue]
    /// For each node, the text of its name.
    let names: [String]
    /// The compiled literal patterns of `matchesPattern`, by the node of the call.
    let patterns: [Int: Pattern]
    /// For each long list of literals, its members as a set.
    let memberSets: [Int: MemberSet]
    /// The paths of several segments that are all plain names, so that only their start decides what they depend on.
    let invariantPaths: Set<Int>
    /// The evaluators of the parameter aliases; empty in the evaluator of an alias.
    package let aliases: [ByteKey: ODataEvaluator]
    /// Whether the value may depend on `$it`, itself or through an alias.
    let readsOutermost: Bool
    /// The property whose value the expression is; nil for any other expression.
    let propertyName: String?
    /// The value of `now()`: one instant for the whole query.
    package let now: EdmDateTimeOffset
    let limits: Limits

    /// Prepares an expression.
    ///
    /// - Parameters:
    ///   - expression: The expression to evaluate.
    ///   - model: The types and names of the data. With `entityType`, unknown names are faults.
    ///   - entityType: The qualified name of the type of the entities.
    ///   - aliases: The values of parameter aliases. Other aliases are null.
    ///   - now: The value of `now()`; nil for the system clock.
    ///   - limits: What an evaluation for one entity may cost: `steps` and `resultBytes`.
    /// - Throws: `typeMismatch`, also for an entity type that the model lacks, `unknownProperty`, a fault of the
    ///   pattern of `matchesPattern`, `syntax` for an alias that refers to itself, `limitExceeded` for aliases that are
    ///   nested too deeply.
    public convenience init(
        _ expression: ODataExpression, model: EdmModel? = nil, entityType: String? = nil,
        aliases: [QueryOptions.Alias] = [],
        now: EdmDateTimeOffset? = nil, limits: Limits = .default
    ) throws(Fault) {
        try model?.requireType(entityType)
        try self.init(
            expression, model: model, entityType: entityType, aliases: aliases, computedNames: [], now: now,
            limits: limits, isFilter: false)
    }

    /// Prepares a condition. Throws `typeMismatch` for an expression that is not a boolean.
    public convenience init(
        filter expression: ODataExpression, model: EdmModel? = nil, entityType: String? = nil,
        aliases: [QueryOptions.Alias] = [],
        now: EdmDateTimeOffset? = nil, limits: Limits = .default
    ) throws(Fault) {
        try model?.requireType(entityType)
        try self.init(
            expression, model: model, entityType: entityType, aliases: aliases, computedNames: [], now: now,
            limits: limits, isFilter: true)
    }

    /// Prepares an expression or a condition that may also name the results of `$compute`, which have no declared type.
    ///
    /// - Parameter outermost: The type of `$it`; nil if it is that of the entity.
    convenience init(
        _ expression: ODataExpression, model: EdmModel?, entityType: String?, outermost: StaticType? = nil,
        aliases: [QueryOptions.Alias], computedNames: Set<ByteKey>, now: EdmDateTimeOffset?, limits: Limits,
        isFilter: Bool
    ) throws(Fault) {
        let now = now ?? Self.clock()
        let prepared = try Self.prepare(
            aliases, for: expression, model: model, entityType: entityType, outermost: outermost,
            computedNames: computedNames, now: now, limits: limits)
        try self.init(
            expression, model: model, entityType: entityType, outermost: outermost, prepared: prepared,
            computedNames: computedNames, now: now, limits: limits, isFilter: isFilter)
    }

    private init(
        _ expression: ODataExpression, model: EdmModel?, entityType: String?, outermost: StaticType?,
        prepared: [ByteKey: ODataEvaluator], computedNames: Set<ByteKey>, now: EdmDateTimeOffset, limits: Limits,
        isFilter: Bool
    ) throws(Fault) {
        var checker = TypeChecker(
            expression, model: model, entityType: entityType, outermost: outermost, computedNames: computedNames)
        if isFilter {
            try checker.checkFilter()
        } else {
            try checker.check(expression.root)
        }
        self.expression = expression
        self.model = model
        self.now = now
        self.limits = limits
        types = checker.types
        self.entityType = checker.entityType
        slots = checker.slots
        keyPaths = checker.keyPaths
        castTypes = checker.castTypes
        let memberLiterals = checker.memberLiterals
        literals = expression.nodes.indices.map { index in
            guard expression.nodes[index].kind == .literal else { return .null }
            let value = expression.value(of: index)
            if let type = memberLiterals[index], case .string(let members) = value {
                return .enumeration(type: type, members: members)
            }
            return value
        }
        memberSets = Self.memberSets(of: expression, literals: literals)
        invariantPaths = Set(
            expression.nodes.indices.filter { index in
                expression.nodes[index].kind == .path
                    && expression.children(of: index).allSatisfy { expression.nodes[$0].kind == .name }
            })
        names = expression.nodes.indices.map { index in
            switch expression.nodes[index].kind {
            case .path where expression.nodes[index].first < 0, .name, .alias, .argument: expression.text(of: index)
            default: ""
            }
        }
        patterns = try expression.literalPatterns()
        self.aliases = prepared
        readsOutermost =
            !prepared.isEmpty || expression.nodes.contains { $0.kind == .it }
            || names.contains { $0.hasBytes(of: "$it") }
        propertyName = Self.propertyName(of: expression, slots: slots, names: names)
    }

    private static func propertyName(of expression: ODataExpression, slots: [Int], names: [String]) -> String? {
        let root = expression.root
        guard expression.nodes[root].kind == .path, expression.nodes[root].first < 0, slots[root] < 0,
            names[root].utf8.first != UInt8(ascii: "$")
        else { return nil }
        return names[root]
    }

    /// Prepares the aliases that an expression uses directly or through other aliases, each of them once.
    private static func prepare(
        _ aliases: [QueryOptions.Alias], for expression: ODataExpression, model: EdmModel?, entityType: String?,
        outermost: StaticType?, computedNames: Set<ByteKey>, now: EdmDateTimeOffset, limits: Limits
    ) throws(Fault) -> [ByteKey: ODataEvaluator] {
        // Those of nested options come first, and hide those around them.
        let byName = aliases.valuesByName
        var prepared: [ByteKey: ODataEvaluator] = [:]
        var inProgress: Set<ByteKey> = []
        func prepareAll(in expression: ODataExpression) throws(Fault) {
            guard inProgress.count <= maximumAliasDepth else {
                throw Fault(.limitExceeded, "parameter aliases are nested deeper than \(maximumAliasDepth)")
            }
            for index in expression.nodes.indices
            where expression.nodes[index].kind == .alias || expression.nodes[index].kind == .name {
                guard expression.bytes(of: index).first == UInt8(ascii: "@") else { continue }
                let name = ByteKey(expression.text(of: index))
                guard let value = byName[name], prepared[name] == nil else { continue }
                guard inProgress.insert(name).inserted else {
                    throw Fault(.syntax, "a parameter alias refers to itself")
                }
                try prepareAll(in: value)
                prepared[name] = try ODataEvaluator(
                    value, model: model, entityType: entityType, outermost: outermost, prepared: [:],
                    computedNames: computedNames, now: now, limits: limits, isFilter: false)
                inProgress.remove(name)
            }
        }
        try prepareAll(in: expression)
        return prepared
    }

    /// The number of aliases of which each is the value of the one before it.
    static let maximumAliasDepth = 32

    /// The sets of the lists that are so long that comparing each member takes longer.
    private static func memberSets(of expression: ODataExpression, literals: [ODataValue]) -> [Int: MemberSet] {
        var sets: [Int: MemberSet] = [:]
        for index in expression.nodes.indices where expression.nodes[index].kind == .list {
            let children = expression.children(of: index)
            guard children.count > 8,
                children.allSatisfy({ expression.nodes[$0].kind == .literal || expression.nodes[$0].kind == .null })
            else {
                continue
            }
            sets[index] = MemberSet(children.map { Term<JSONValue>.value(literals[$0]) })
        }
        return sets
    }

    static func clock() -> EdmDateTimeOffset {
        let seconds = Date().timeIntervalSince1970
        let whole = seconds.rounded(.down)
        let microseconds = Int64((seconds - whole) * 1_000_000)
        return EdmDateTimeOffset(secondsSinceEpoch: Int64(whole), picosecond: microseconds * 1_000_000)
            ?? EdmDateTimeOffset.minimum
    }

    /// Evaluates the condition for an entity: true, false, or nil for null. A filter keeps only entities with true.
    ///
    /// - Parameters:
    ///   - entity: The data of the entity.
    ///   - root: The value of `$root`: an object whose members are the entity sets and singletons of the service.
    /// - Throws: `arithmetic` for divisions by zero and overflow, `typeMismatch`, `limitExceeded` for an evaluation
    ///   that costs more than the limits allow, `unsupported` for `$root` without a root and for anything else that
    ///   only a service can evaluate.
    @specialized(where Node == JSONValue)
    public func matches<Node: EntityNode>(_ entity: Node, root: Node? = nil) throws(Fault) -> Bool? {
        var run = Evaluation(self, entity: entity, root: root)
        return try run.term(expression.root).boolean
    }

    /// Computes the value of the expression. Objects and arrays of the data become complex values and collections.
    ///
    /// - Throws: as `matches`.
    @specialized(where Node == JSONValue)
    public func value<Node: EntityNode>(for entity: Node, root: Node? = nil) throws(Fault) -> ODataValue {
        var run = Evaluation(self, entity: entity, root: root)
        return try run.term(expression.root).value()
    }
}

extension EdmDateTimeOffset {
    /// The value of `mindatetime()`: 0001-01-01T00:00:00Z.
    static let minimum = instant(year: 1, month: 1, day: 1, hour: 0, minute: 0, second: 0, picosecond: 0)
    /// The value of `maxdatetime()`: 9999-12-31T23:59:59.9999999Z.
    static let maximum = instant(
        year: 9999, month: 12, day: 31, hour: 23, minute: 59, second: 59, picosecond: 999_999_900_000)

    private static func instant(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, picosecond: Int64
    ) -> EdmDateTimeOffset {
        guard let date = EdmDate(year: year, month: month, day: day),
            let time = EdmTimeOfDay(hour: hour, minute: minute, second: second, picosecond: picosecond),
            let value = EdmDateTimeOffset(local: EdmDateTime(date: date, time: time), offsetMinutes: 0)
        else {
            preconditionFailure("a constant of the evaluator is not a valid point in time")
        }
        return value
    }
}
