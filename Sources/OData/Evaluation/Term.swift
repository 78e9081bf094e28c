/// The value of a part of an expression during the evaluation for an entity.
enum Term<Node: EntityNode> {
    /// A value of a known type, or null.
    case value(ODataValue)
    /// Text from data without a declared type. It is parsed as the type of the value that it is combined with.
    case text(String)
    /// An object or array of the data.
    case node(Node)
    /// A collection that is the result of an expression.
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

    /// The text of a string, with or without a declared type.
    var string: String? {
        switch self {
        case .value(.string(let text)), .text(let text): text
        default: nil
        }
    }
}

extension Term {
    /// Creates a term from a node of the data. With a declared type it is a value of that type, or null if the node
    /// does not match it. Without one the type of the JSON value decides.
    init(_ node: Node, declared type: StaticType) { self.init(node, node.content, declared: type) }

    fileprivate init(_ node: Node, _ content: EntityContent, declared type: StaticType) {
        switch content {
        case .null: self = .null
        case .array, .object: self = .node(node)
        case .boolean(let value):
            self = type.isOpen(or: .boolean) ? .value(.boolean(value)) : .null
        case .number(let text):
            guard let primitive = type.primitive else {
                // The numeric value of a member of an enumeration.
                if case .enumeration(let name) = type.base {
                    self = .value(.enumeration(type: name, members: text))
                } else {
                    self = .value(Self.number(text))
                }
                return
            }
            self = .value(primitive.isNumeric ? Self.number(text, as: primitive) : .null)
        case .value(let value): self = .value(value.converted(to: type))
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

    /// A JSON number without a declared type: a Decimal if it has no exponent and at most 34 digits, otherwise a
    /// Double.
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

    /// Parses text as a value of a type; nil if it is malformed.
    static func read(_ text: String, as type: EdmPrimitiveType) -> ODataValue? {
        if let value = withBytes(of: text, { ODataValue.read($0, as: type) }) {
            return value
        }
        // Some services up to version 3.0 write a Z after a DateTime.
        if type == .dateTime, text.utf8.last == UInt8(ascii: "Z") {
            return EdmDateTime(String(text.dropLast())).map(ODataValue.dateTime)
        }
        return nil
    }
}

extension EvaluationBudget {
    /// Creates a term from a node of the data. A long text or number is read again each time, and paid for.
    mutating func term<Node>(_ node: Node, declared type: StaticType) throws(Fault) -> Term<Node> {
        let content = node.content
        switch content {
        case .text(let text), .number(let text): try spend(text.utf8.count >> 6)
        default: break
        }
        return Term(node, content, declared: type)
    }
}
