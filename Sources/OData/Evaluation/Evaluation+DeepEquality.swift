import Soups

/// A value that is compared, with the type that is declared for it.
private struct Operand<Node: EntityNode> {
    var value: Term<Node>
    var type: StaticType
}

/// Equality of collections and objects.
extension Evaluation {
    /// Compares collections member by member, and objects by their properties without control information.
    ///
    /// - Parameter index: The node of the comparison, whose operands may have declared types.
    mutating func areDeeplyEqual(_ a: Value, _ b: Value, at index: Int?) throws(Fault) -> Bool {
        var types = (left: StaticType.unknown, right: StaticType.unknown)
        if let index {
            let left = Int(node(index).first)
            types = (evaluator.types[left], evaluator.types[Int(node(left).next)])
        }
        let isTyped = index.map { self.isTyped($0) } ?? true
        return try areDeeplyEqual(
            Operand(value: a, type: types.left), Operand(value: b, type: types.right), isTyped: isTyped, depth: 0)
    }

    private mutating func areDeeplyEqual(
        _ a: Operand<Node>, _ b: Operand<Node>, isTyped: Bool, depth: Int
    ) throws(Fault) -> Bool {
        guard depth < DeepValue.greatestDepth else { throw DeepValue.tooDeep }
        let (leftType, rightType) = (a.type.element, b.type.element)
        if let left = collection(a.value, of: leftType), let right = collection(b.value, of: rightType) {
            guard left.count == right.count else { return false }
            try budget.spend(left.count)
            for (x, y) in zip(left, right) {
                let (x, y) = (Operand(value: settled(x), type: leftType), Operand(value: settled(y), type: rightType))
                guard try areEqualMembers(x, y, isTyped: isTyped, depth: depth + 1) else { return false }
            }
            return true
        }
        guard let left = object(a), let right = object(b), left.count == right.count else {
            return false
        }
        try budget.spend(left.count)
        var others: [ByteKey: Operand<Node>] = [:]
        if left.count > Self.fewMembers {
            for (name, value) in right {
                others[ByteKey(name)] = value
            }
        }
        for (name, value) in left {
            let other =
                left.count > Self.fewMembers
                ? others[ByteKey(name)] : right.first { $0.name.hasBytes(of: name) }?.value
            guard let other, try areEqualMembers(value, other, isTyped: isTyped, depth: depth + 1) else {
                return false
            }
        }
        return true
    }

    private mutating func areEqualMembers(
        _ a: Operand<Node>, _ b: Operand<Node>, isTyped: Bool, depth: Int
    ) throws(Fault) -> Bool {
        if Self.isDeep(a.value) || Self.isDeep(b.value) {
            return try areDeeplyEqual(a, b, isTyped: isTyped, depth: depth)
        }
        return try areEqual(
            Self.asWritten(a.value, with: b.value), Self.asWritten(b.value, with: a.value), isTyped: isTyped)
    }

    /// A string of a literal as text without a type where the other value has a type whose values are strings in JSON,
    /// as in `Days eq ["2020-01-01"]`.
    static func asWritten(_ value: Value, with other: Value) -> Value {
        guard case .value(.string(let text)) = value, case .value(let other) = other else { return value }
        switch other {
        case .double(let number) where number.isFinite: return value
        case .single(let number) where number.isFinite: return value
        case .null, .boolean, .byte, .sbyte, .int16, .int32, .int64, .decimal, .string, .enumeration: return value
        default: return .text(text)
        }
    }

    /// The members of a collection of primitive values or enumerations as values of the type that is declared for
    /// them; any other value stays as it is.
    ///
    /// - Parameter index: The node of the value.
    func withTypes(_ value: Value, of index: Int) -> Value {
        guard case .node(let node) = value, let elements = node.elements else { return value }
        let declared = evaluator.types[index].element
        switch declared.base {
        case .primitive, .enumeration: return .list(elements.map { Value($0, declared: declared) })
        default: return value
        }
    }

    /// Reads a node of the data as a value without a declared type; any other value stays as it is.
    func settled(_ value: Value) -> Value {
        if case .node(let node) = value {
            Value(node, declared: .unknown)
        } else {
            value
        }
    }

    /// The members of a collection; nil for anything else.
    func collection(_ value: Value) -> [Value]? { collection(value, of: .unknown) }

    private func collection(_ value: Value, of element: StaticType) -> [Value]? {
        switch value {
        case .list(let terms): terms
        case .node(let node): node.elements.map { $0.map { Value($0, declared: element) } }
        case .value(.collection(let values)): values.map { .value($0) }
        default: nil
        }
    }

    private func object(_ operand: Operand<Node>) -> [(name: String, value: Operand<Node>)]? {
        switch operand.value {
        case .value(.complex(let members)):
            members.filter { !Self.isControl($0.name) }.map { member in
                (member.name, Operand(value: .value(member.value), type: .unknown))
            }
        case .node(let node):
            node.members?.filter { !Self.isControl($0.name) }.map { name, value in
                let type = type(of: name, in: operand.type)
                return (name, Operand(value: Value(value, declared: type), type: type))
            }
        default: nil
        }
    }

    private static func isControl(_ name: String) -> Bool { name.utf8.contains(UInt8(ascii: "@")) }

    /// The declared type of a property of an object.
    private func type(of property: String, in type: StaticType) -> StaticType {
        guard let model = evaluator.model, let name = type.structuredName,
            let declared = model.property(property, of: name)
        else { return .unknown }
        return StaticType(declared.type, in: model)
    }
}
