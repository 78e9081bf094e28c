/// What a part of an expression comes to while an entity is looked at.
enum Term<Node: EntityNode> {
    /// A value whose type is known, null among them.
    case value(ODataValue)
    /// Text from data whose type nobody declared: read as the type of what it meets.
    case text(String)
    /// An object or array of the data.
    case node(Node)
    /// A collection that an expression makes.
    case list([Term])

    static var null: Term { .value(.null) }

    static func boolean(_ value: Bool?) -> Term { .value(value.map(ODataValue.boolean) ?? .null) }

    static func string(_ value: String) -> Term { .value(.string(value)) }

    var isNull: Bool {
        if case .value(.null) = self {
            true
        } else {
            false
        }
    }

    var boolean: Bool? {
        if case .value(.boolean(let value)) = self {
            value
        } else {
            nil
        }
    }

    /// The text of a string, declared or not.
    var string: String? {
        switch self {
        case .value(.string(let text)), .text(let text): text
        default: nil
        }
    }
}

extension Term {
    /// Takes what stands in the data: with a declared type as a value of it, null where it does not fit; without one by
    /// the kind of JSON.
    init(_ node: Node, declared type: StaticType) {
        switch node.content {
        case .null: self = .null
        case .array, .object: self = .node(node)
        case .boolean(let value):
            self = type.isOpen(or: .boolean) ? .value(.boolean(value)) : .null
        case .number(let text):
            guard let primitive = type.primitive else {
                // The number of an enumeration's member.
                if case .enumeration(let name) = type.base {
                    self = .value(.enumeration(type: name, members: text))
                } else {
                    self = .value(Self.number(text))
                }
                return
            }
            self = .value(primitive.isNumeric ? Self.number(text, as: primitive) : .null)
        case .text(let text):
            if case .enumeration(let name) = type.base {
                self = .value(.enumeration(type: name, members: text))
            } else if let primitive = type.primitive {
                self = .value(primitive == .string ? .string(text) : Self.read(text, as: primitive) ?? .null)
            } else {
                self = .text(text)
            }
        }
    }

    /// A JSON number without a declared type: a Decimal without exponent and up to 34 digits, else a Double.
    private static func number(_ text: String) -> ODataValue {
        withBytes(of: text) { bytes in
            if bytes.count < 18, let integer = ODataValue.int64(bytes) {
                return .decimal(EdmDecimal(integer))
            }
            let hasExponent = bytes.contains { $0 | 0x20 == UInt8(ascii: "e") }
            if !hasExponent, let decimal = EdmDecimal(bytes: bytes), EdmDecimal.digits(of: decimal.significand) <= 34 {
                return .decimal(decimal)
            }
            return .double(Double(text) ?? .nan)
        }
    }

    /// A JSON number as a value of a numeric type; `7.0` is an integer too.
    private static func number(_ text: String, as type: EdmPrimitiveType) -> ODataValue {
        if let value = withBytes(of: text, { ODataValue.read($0, as: type) }) {
            return value
        }
        guard type.isInteger, let integer = EdmDecimal(text)?.int64 else {
            return .null
        }
        return withBytes(of: String(integer)) { ODataValue.read($0, as: type) } ?? .null
    }

    /// Text as a value of a type; nil where it is none.
    static func read(_ text: String, as type: EdmPrimitiveType) -> ODataValue? {
        if let value = withBytes(of: text, { ODataValue.read($0, as: type) }) {
            return value
        }
        // Services up to 3.0 write a Z behind a DateTime now and then.
        if type == .dateTime, text.utf8.last == UInt8(ascii: "Z") {
            return EdmDateTime(String(text.dropLast())).map(ODataValue.dateTime)
        }
        return nil
    }
}
