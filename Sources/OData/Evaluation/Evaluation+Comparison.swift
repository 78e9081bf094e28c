import Soups

extension Evaluation {
    /// Evaluates `eq`. Null equals only null, NaN equals nothing, and values of types that cannot be compared are
    /// unequal.
    ///
    /// If neither side has a declared type, text is not converted and so never equals a number.
    ///
    /// - Parameter index: The node of the comparison, whose operands may have declared types; nil for members of lists.
    mutating func areEqual(
        _ a: Value, _ b: Value, isTyped: Bool = true, at index: Int? = nil
    ) throws(Fault) -> Bool {
        if a.isNull || b.isNull {
            return a.isNull && b.isNull
        }
        if let x = a.string, let y = b.string {
            guard x.utf8.count == y.utf8.count else { return false }
            try budget.spend(EvaluationBudget.steps(for: x))
            return Comparison.order(of: x, y) == .same
        }
        if Self.isDeep(a) || Self.isDeep(b) {
            if let areSame = try areSameShapes(a, b) {
                return areSame
            }
            return try areDeeplyEqual(a, b, at: index)
        }
        try payForReading(a, b)
        guard let (x, y) = typed(a, b, isTyped: isTyped) else { return false }
        return Comparison.order(x, y) == .same
    }

    /// Pays for reading two operands, one of which may be a text that is parsed as the type of the other.
    private mutating func payForReading(_ a: Value, _ b: Value) throws(Fault) {
        try budget.spend(1 + Self.readingSteps(a) + Self.readingSteps(b))
    }

    private static func readingSteps(_ value: Value) -> Int {
        switch value {
        case .text(let text), .value(.string(let text)): text.utf8.count >> 6
        case .value(.enumeration(_, let members)): members.utf8.count >> 3
        default: 0
        }
    }

    /// Both operands as values that can be compared. Text without a declared type is parsed as the type of the other
    /// operand; the result is nil if that fails.
    private func typed(_ a: Value, _ b: Value, isTyped: Bool) -> (ODataValue, ODataValue)? {
        switch (a, b) {
        // In 4.01 a duration may be written without its prefix, as a string.
        case (.value(.duration(let x)), .value(.string(let y))): EdmDuration(y).map { (.duration(x), .duration($0)) }
        case (.value(.string(let x)), .value(.duration(let y))): EdmDuration(x).map { (.duration($0), .duration(y)) }
        case (.value(.enumeration(let type, let x)), .value(.string(let y))) where version == .v401:
            (numbered(.enumeration(type: type, members: x)), numbered(.enumeration(type: type, members: y)))
        case (.value(.string(let x)), .value(.enumeration(let type, let y))) where version == .v401:
            (numbered(.enumeration(type: type, members: x)), numbered(.enumeration(type: type, members: y)))
        case (.value(let x), .value(let y)): (numbered(x), numbered(y))
        case (.text(let x), .text(let y)): (.string(x), .string(y))
        case (.text(let x), .value(let y)): isTyped ? read(x, like: y).map { (numbered($0), numbered(y)) } : nil
        case (.value(let x), .text(let y)): isTyped ? read(y, like: x).map { (numbered(x), numbered($0)) } : nil
        default: nil
        }
    }

    /// Replaces the members of an enumeration of the model by their number, so that values can be compared and ordered.
    private func numbered(_ value: ODataValue) -> ODataValue {
        evaluator.model?.numbered(value) ?? value
    }

    private func read(_ text: String, like other: ODataValue) -> ODataValue? {
        switch other {
        case .string: .string(text)
        case .enumeration(let type, _): .enumeration(type: type, members: text)
        case .byte, .sbyte, .int16, .int32, .int64, .decimal: EdmDecimal(text).map(ODataValue.decimal)
        default: other.primitiveType.flatMap { Value.read(text, as: $0) }
        }
    }

    /// Evaluates `gt`, `ge`, `lt` and `le`. The result is false if an operand is null or if the types cannot be
    /// compared. The exception: in 4.x `null ge null` and `null le null` are true (OData URL Conventions, 5.1.1.1;
    /// MS-ODATA).
    mutating func isOrdered(
        _ kind: ExpressionNode.Kind, _ a: Value, _ b: Value, isTyped: Bool = true
    ) throws(Fault) -> Bool {
        if a.isNull || b.isNull {
            return a.isNull && b.isNull && version.isV4 && (kind == .greaterOrEqual || kind == .lessOrEqual)
        }
        try payForReading(a, b)
        guard let (x, y) = typed(a, b, isTyped: isTyped) else { return false }
        switch Comparison.order(x, y) {
        case .less: return kind == .less || kind == .lessOrEqual
        case .same: return kind == .greaterOrEqual || kind == .lessOrEqual
        case .greater: return kind == .greater || kind == .greaterOrEqual
        case .none: return false
        }
    }

    /// Whether a value is a collection or an object, of the data or of a literal.
    static func isDeep(_ value: Value) -> Bool {
        switch value {
        case .node, .list, .value(.complex), .value(.collection): true
        default: false
        }
    }

    /// The number of members up to which a linear search is faster than a hash table.
    static var fewMembers: Int { 8 }

    /// Evaluates `in`: whether the value equals a member of the list by the rules of `eq`. So null is in a list with
    /// null.
    ///
    /// - Parameters:
    ///   - isTyped: Whether the value has a type.
    ///   - index: The node of the list.
    mutating func isMember(
        _ value: Value, isTyped: Bool, in list: Value, at index: Int
    ) throws(Fault) -> Bool {
        // Members of a list in the data have no types; literals in the expression have.
        let isTyped = if case .node = list { isTyped } else { true }
        if let set = try memberSet(of: list, at: index), let isMember = set.contains(value, isTyped: isTyped) {
            return isMember
        }
        let isJSON = node(index).kind == .array
        for member in collection(list) ?? [] {
            var (value, member) = (value, settled(member))
            if isJSON {
                (value, member) = (Self.asWritten(value, with: member), Self.asWritten(member, with: value))
            }
            if try areEqual(value, member, isTyped: isTyped) {
                return true
            }
        }
        return false
    }

    /// The members of a list as a set, made once: for literals with the expression, for data with the first member of
    /// a lambda. Nil for lists that are short or looked at once only.
    private mutating func memberSet(of list: Value, at index: Int) throws(Fault) -> MemberSet? {
        if let known = evaluator.memberSets[index] {
            return known
        }
        guard !variables.isEmpty, isInvariant(index) else { return nil }
        if let known = memberSets[index] {
            return known
        }
        let members = collection(list)?.map { settled($0) } ?? []
        guard members.count > Self.fewMembers else { return nil }
        try budget.spend(members.count)
        let set = MemberSet(members)
        memberSets[index] = set
        return set
    }

    /// Evaluates `has`: whether all flags of the right operand are set in the left one. The result is nil if an operand
    /// is null or not an enumeration.
    mutating func has(_ value: Value, _ flags: Value) throws(Fault) -> Bool? {
        guard let (leftType, left) = members(value), let (rightType, right) = members(flags) else {
            return nil
        }
        try budget.spend(1 + (left.utf8.count + right.utf8.count) >> 3)
        if let model = evaluator.model, let name = leftType ?? rightType, model.enumType(name) != nil {
            // `has` combines members even if the enumeration is not declared as flags.
            guard let bits = model.enumValue(of: left, in: name, isFlags: true),
                let mask = model.enumValue(of: right, in: name, isFlags: true)
            else {
                return nil
            }
            return bits & mask == mask
        }
        if let bits = Int64(left), let mask = Int64(right) {
            return bits & mask == mask
        }
        return Comparison.hasAll(Comparison.memberNames(left), Comparison.memberNames(right))
    }

    private func members(_ value: Value) -> (type: String?, members: String)? {
        switch value {
        case .value(.enumeration(let type, let members)): (type, members)
        case .text(let text), .value(.string(let text)): (nil, text)
        case .value(let number):
            (Comparison.integer(number) ?? Comparison.decimal(number)?.int64).map { (nil, String($0)) }
        default: nil
        }
    }
}
