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
    init<Node>(of term: Term<Node>, model: EdmModel?) {
        guard case .value(let value) = term, let model else {
            self.init(term)
            return
        }
        self.init(Term<Node>.value(model.numbered(value)))
    }

    /// Creates a key. Collections and objects deeper than 100 levels count as null, as they do for `eq`.
    init<Node>(_ term: Term<Node>, depth: Int = 0) {
        if let key = EqualityKey(term) {
            self = .scalar(key)
            return
        }
        switch term {
        case .text(let text): self = .scalar(.text(ByteKey(text)))
        case .value(let value): self.init(value, depth: depth)
        case .list(let terms): self = .list(terms.map { GroupKey($0, depth: depth + 1) })
        case .node(let node):
            guard depth < 100 else {
                self = .scalar(.null)
                return
            }
            if let elements = node.elements {
                self = .list(elements.map { GroupKey(Term($0, declared: .unknown), depth: depth + 1) })
                return
            }
            var members: [ByteKey: GroupKey] = [:]
            // As for `eq`, control information is not part of the value.
            for (name, value) in node.members ?? [] where !name.utf8.contains(UInt8(ascii: "@")) {
                members[ByteKey(name)] = GroupKey(Term(value, declared: .unknown), depth: depth + 1)
            }
            self = .object(members)
        }
    }

    private init(_ value: ODataValue, depth: Int) {
        switch value {
        case .collection(let values):
            self = .list(values.map { GroupKey(Term<JSONValue>.value($0), depth: depth + 1) })
        case .complex(let properties):
            var members: [ByteKey: GroupKey] = [:]
            for property in properties where !property.name.utf8.contains(UInt8(ascii: "@")) {
                members[ByteKey(property.name)] = GroupKey(Term<JSONValue>.value(property.value), depth: depth + 1)
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
}
