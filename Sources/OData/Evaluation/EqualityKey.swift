import Soups

/// A value as a key of a hash table, if equal keys are exactly what `eq` calls equal.
///
/// That holds among values of one class only: `eq` reads text without a type as the type of the other operand, so "5"
/// and "5.0" both equal 5, but not each other. Doubles and values of other types have no key.
enum EqualityKey: Hashable {
    case null
    case text(ByteKey)
    case number(EdmDecimal)
    case boolean(Bool)
    case guid(EdmGuid)
    case date(EdmDate)
    case dateTime(EdmDateTime)
    case dateTimeOffset(EdmDateTimeOffset)
    case timeOfDay(EdmTimeOfDay)
    case duration(EdmDuration)
    case time(EdmDuration)

    init?<Node>(_ term: Term<Node>) {
        switch term {
        case .text(let text): self = .text(ByteKey(text))
        case .value(let value): self.init(value)
        case .node, .list: return nil
        }
    }

    init?(_ value: ODataValue) {
        switch value {
        case .null: self = .null
        case .string(let text): self = .text(ByteKey(text))
        case .boolean(let flag): self = .boolean(flag)
        case .guid(let guid): self = .guid(guid)
        case .date(let date): self = .date(date)
        case .dateTime(let date): self = .dateTime(date)
        case .dateTimeOffset(let date): self = .dateTimeOffset(date)
        case .timeOfDay(let time): self = .timeOfDay(time)
        case .duration(let duration): self = .duration(duration)
        case .time(let time): self = .time(time)
        default:
            guard let number = Comparison.decimal(value) else { return nil }
            self = .number(number)
        }
    }

    /// The class of the key, as a bit.
    var kind: UInt16 {
        switch self {
        case .null: 1
        case .text: 2
        case .number: 4
        case .boolean: 8
        case .guid: 16
        case .date: 32
        case .dateTime: 64
        case .dateTimeOffset: 128
        case .timeOfDay: 256
        case .duration: 512
        case .time: 1024
        }
    }

    static let nullKind: UInt16 = 1

    /// The keys of the members of some collections, if all are of one class or null; nil otherwise.
    static func keys<Node>(of lists: [[Term<Node>]]) -> [[EqualityKey]]? {
        var kinds: UInt16 = 0
        var result: [[EqualityKey]] = []
        for list in lists {
            var keys: [EqualityKey] = []
            keys.reserveCapacity(list.count)
            for member in list {
                guard let key = EqualityKey(member) else { return nil }
                kinds |= key.kind
                keys.append(key)
            }
            result.append(keys)
        }
        kinds &= ~nullKind
        return kinds & (kinds &- 1) == 0 ? result : nil
    }
}

/// The members of a collection in a hash table, for `in`.
struct MemberSet: Sendable {
    private let keys: Set<EqualityKey>
    private let kinds: UInt16

    /// Creates a set; nil if a member has no key.
    init?<Node>(_ members: [Term<Node>]) {
        var keys: Set<EqualityKey> = []
        var kinds: UInt16 = 0
        for member in members {
            guard let key = EqualityKey(member) else { return nil }
            keys.insert(key)
            kinds |= key.kind
        }
        self.keys = keys
        self.kinds = kinds & ~EqualityKey.nullKind
    }

    /// Whether a value equals a member; nil if only comparing it with each of them tells.
    ///
    /// - Parameter isTyped: Whether text without a type is read as the type of the other operand.
    func contains<Node>(_ value: Term<Node>, isTyped: Bool) -> Bool? {
        guard let key = EqualityKey(value) else { return nil }
        guard key != .null else {
            return keys.contains(.null)
        }
        if !isTyped || kinds & ~key.kind == 0 {
            return keys.contains(key)
        }
        // The text of a number among numbers.
        if case .text(let text) = value, kinds == EqualityKey.number(EdmDecimal(0)).kind {
            return EdmDecimal(text).map { keys.contains(.number($0)) } ?? false
        }
        return nil
    }
}
