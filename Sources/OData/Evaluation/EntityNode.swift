public import JSONText

/// A node in the data of an entity, as the evaluator reads it: a scalar, an object or an array.
///
/// `JSONValue` conforms to it; a type that reads bytes in place could too. The evaluator is generic over the node type,
/// so calls are not dynamic.
public protocol EntityNode: Sendable {
    /// The kind of the node, with the value of a scalar.
    var content: EntityContent { get }
    /// The member of an object, its name compared by bytes; nil for an unknown name.
    func member(_ name: String) -> Self?
    /// The elements of an array; nil for anything else.
    var elements: [Self]? { get }
    /// The names of an object's members in their order; nil for anything else.
    var memberNames: [String]? { get }
    /// The members of an object in their order; nil for anything else. A type that can list them in linear time should
    /// implement it: by default each is looked up by its name.
    var members: [(name: String, value: Self)]? { get }
    /// Calls a closure with each member of an object, in their order. A type that can do so without a list of them
    /// should implement it.
    func forEachMember<Failure>(_ body: (String, Self) throws(Failure) -> Void) throws(Failure)
}

extension EntityNode {
    public var members: [(name: String, value: Self)]? {
        memberNames?.compactMap { name in member(name).map { (name, $0) } }
    }

    public func forEachMember<Failure>(_ body: (String, Self) throws(Failure) -> Void) throws(Failure) {
        for member in members ?? [] {
            try body(member.name, member.value)
        }
    }
}

extension JSONValue: EntityNode {
    /// The kind of the value, with the value of a scalar.
    public var content: EntityContent {
        switch self {
        case .null: .null
        case .bool(let value): .boolean(value)
        case .number(let number): .number(number.text)
        case .string(let text): .text(text)
        case .array: .array
        case .object: .object
        }
    }

    /// Returns the last member with the name, as in `JSONObject`.
    public func member(_ name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        for index in object.members.indices.reversed() where object.members[index].name.hasBytes(of: name) {
            return object.members[index].value
        }
        return nil
    }

    public var elements: [JSONValue]? { array }

    public var memberNames: [String]? { object?.names }

    public var members: [(name: String, value: JSONValue)]? { object?.members }

    public func forEachMember<Failure>(_ body: (String, JSONValue) throws(Failure) -> Void) throws(Failure) {
        guard case .object(let object) = self else { return }
        for member in object.members {
            try body(member.name, member.value)
        }
    }
}
