/// A JSON value as a tree, for uses where convenience matters more than speed: arguments, settings, test vectors.
///
/// ```swift
/// let contact: JSONValue = ["name": "Ada", "age": 36, "tags": ["author", "admin"]]
/// let age = contact["age"]?.int64
/// let tags = contact["tags"]?.array?.compactMap(\.string)
/// ```
///
/// Hot paths read bytes with `JSONProjection` or `JSONTape` instead. Numbers keep their text, objects the order of
/// their members. Equality is by value: 1 equals 1.0, strings are compared by Unicode scalars without normalization,
/// and the order of members does not matter.
public enum JSONValue: Sendable {
    /// The literal `null`.
    case null
    /// The literals `true` and `false`.
    case bool(Bool)
    /// A number, with its text.
    case number(JSONNumber)
    /// A string, with its escapes resolved.
    case string(String)
    /// An array of values.
    case array([JSONValue])
    /// An object of members in order.
    case object(JSONObject)
}

extension JSONValue {
    /// The members, if this is an object.
    public var object: JSONObject? {
        if case .object(let object) = self {
            object
        } else {
            nil
        }
    }

    /// The elements, if this is an array.
    public var array: [JSONValue]? {
        if case .array(let elements) = self {
            elements
        } else {
            nil
        }
    }

    /// The text, if this is a string.
    public var string: String? {
        if case .string(let text) = self {
            text
        } else {
            nil
        }
    }

    /// The value of a boolean; nil for other kinds, including numbers.
    public var bool: Bool? {
        if case .bool(let value) = self {
            value
        } else {
            nil
        }
    }

    /// The number with its text, if this is a number.
    public var number: JSONNumber? {
        if case .number(let number) = self {
            number
        } else {
            nil
        }
    }

    /// The exact integer, if this is a number without a fractional part that fits into 64 bits (also `1.0` and `1e2`).
    public var int64: Int64? { number?.int64 }

    /// The nearest double, if this is a number.
    public var double: Double? { number?.double }

    /// Whether this is `null`.
    public var isNull: Bool {
        if case .null = self {
            true
        } else {
            false
        }
    }

    /// Returns the member with a name; `nil` if no member has it or this is not an object.
    public subscript(_ name: String) -> JSONValue? { object?[name] }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral,
    ExpressibleByNilLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .number(JSONNumber(value)) }
    public init(floatLiteral value: Double) { self = JSONNumber(value).map(JSONValue.number) ?? .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(nilLiteral: ()) { self = .null }
    public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(JSONObject(elements)) }
}
