import JSONText
import Soups

/// A value as a key of a group: values that `eq` calls equal have equal keys. A double has the key of the decimal with
/// its shortest text.
enum GroupKey: Hashable {
    case scalar(EqualityKey)
    /// A double that no decimal represents, by its bits.
    case double(UInt64)
    /// Any other scalar, by its type and text.
    case text(ByteKey)
    /// A collection, or the values of several properties.
    case list([GroupKey])
    case object([ByteKey: GroupKey])

    /// Creates a key. Members of an enumeration of the model count by their number, however they are written.
    ///
    /// - Throws: `limitExceeded` for data that is too deep, as `eq`.
    init<Node>(of term: Term<Node>, model: EdmModel?) throws(Fault) {
        guard case .value(let value) = term, let model else {
            try self.init(term)
            return
        }
        try self.init(Term<Node>.value(model.numbered(value)))
    }

    /// Creates a key.
    ///
    /// - Throws: `limitExceeded` for data that is too deep, as `eq`.
    init<Node>(_ term: Term<Node>, depth: Int = 0) throws(Fault) {
        if let key = EqualityKey(term) {
            self = .scalar(key)
            return
        }
        switch term {
        case .text(let text): self = .scalar(.text(ByteKey(text)))
        case .value(let value): try self.init(value, depth: depth)
        case .list(let terms):
            self = .list(try terms.map { (term) throws(Fault) in try GroupKey(term, depth: depth + 1) })
        case .node(let node):
            guard depth < DeepValue.greatestDepth else { throw DeepValue.tooDeep }
            if let elements = node.elements {
                self = .list(
                    try elements.map { (element) throws(Fault) in
                        try GroupKey(Term(element, declared: .unknown), depth: depth + 1)
                    })
                return
            }
            var members: [ByteKey: GroupKey] = [:]
            // As for `eq`, control information is not part of the value.
            for (name, value) in node.members ?? [] where !name.utf8.contains(UInt8(ascii: "@")) {
                members[ByteKey(name)] = try GroupKey(Term(value, declared: .unknown), depth: depth + 1)
            }
            self = .object(members)
        }
    }

    private init(_ value: ODataValue, depth: Int) throws(Fault) {
        switch value {
        case .collection(let values):
            self = .list(
                try values.map { (value) throws(Fault) in
                    try GroupKey(Term<JSONValue>.value(value), depth: depth + 1)
                })
        case .complex(let properties):
            var members: [ByteKey: GroupKey] = [:]
            for property in properties where !property.name.utf8.contains(UInt8(ascii: "@")) {
                members[ByteKey(property.name)] = try GroupKey(Term<JSONValue>.value(property.value), depth: depth + 1)
            }
            self = .object(members)
        case .double, .single:
            if let decimal = value.exactDecimal {
                self = .scalar(.number(decimal))
            } else {
                self = .double((Comparison.double(value) ?? .nan).bitPattern)
            }
        case .spatial(let type, let text):
            self = .text(ByteKey("\(type.rawValue) \(SpatialEquality.spelling(of: text))"))
        default: self = .text(ByteKey("\(value.primitiveType?.rawValue ?? "") \(value.canonicalText ?? "")"))
        }
    }

    /// About how many bytes the key takes in a set.
    var byteCount: Int {
        let own = 2 * MemoryLayout<GroupKey>.stride
        switch self {
        case .scalar(.text(let text)), .text(let text): return own + text.text.utf8.count
        case .scalar, .double: return own
        case .list(let keys): return keys.reduce(own) { $0 + $1.byteCount }
        case .object(let members): return members.reduce(own) { $0 + $1.key.text.utf8.count + $1.value.byteCount }
        }
    }
}
