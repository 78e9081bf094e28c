public import JSONText

/// Stands for a place in an entity's data, as the evaluator reads it: a scalar, or something with members or elements.
///
/// `JSONValue` is one; a source that reads bytes in place can be another. Conforming types are generic arguments, so
/// that calls are direct.
public protocol EntityNode: Sendable {
    var content: EntityContent { get }
    /// The member of an object, its name compared by bytes; nil where there is none.
    func member(_ name: String) -> Self?
    /// The elements of an array; nil for anything else.
    var elements: [Self]? { get }
    /// The names of an object's members in their order; nil for anything else.
    var memberNames: [String]? { get }
}

/// Says what a node is: JSON's kinds of values, numbers as their text.
public enum EntityContent: Sendable {
    case null
    case boolean(Bool)
    case number(String)
    case text(String)
    case array
    case object
}

extension JSONValue: EntityNode {
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

    /// Finds the last member of that name, as `JSONObject` finds it.
    public func member(_ name: String) -> JSONValue? {
        guard case .object(let object) = self else { return nil }
        let length = name.utf8.count
        for index in object.members.indices.reversed() where object.members[index].name.utf8.count == length {
            // Canonical equivalence first, which is quick for equal texts; then the bytes, which decide.
            guard object.members[index].name == name, object.members[index].name.utf8.elementsEqual(name.utf8) else {
                continue
            }
            return object.members[index].value
        }
        return nil
    }

    public var elements: [JSONValue]? { array }

    public var memberNames: [String]? { object?.names }
}
