import Soups

/// A condition of a statement over the cells of one row.
indirect enum SQLCondition: Sendable {
    case always
    case never
    /// A text of Smart SQL with values for its `?`. It may be NULL.
    case test(String, [SQLValue])
    case both([SQLCondition])
    case either([SQLCondition])
    case not(SQLCondition)

    /// All of some conditions.
    static func all(_ conditions: [SQLCondition]) -> SQLCondition {
        var parts: [SQLCondition] = []
        for condition in conditions {
            switch condition {
            case .always: continue
            case .never: return .never
            default: parts.append(condition)
            }
        }
        return parts.isEmpty ? .always : parts.count == 1 ? parts[0] : .both(parts)
    }

    /// One of some conditions.
    static func any(_ conditions: [SQLCondition]) -> SQLCondition {
        var parts: [SQLCondition] = []
        for condition in conditions {
            switch condition {
            case .never: continue
            case .always: return .always
            default: parts.append(condition)
            }
        }
        return parts.isEmpty ? .never : parts.count == 1 ? parts[0] : .either(parts)
    }

    /// The opposite, where NULL counts as false.
    static func opposite(_ condition: SQLCondition) -> SQLCondition {
        switch condition {
        case .always: .never
        case .never: .always
        // An index finds the rows of a condition, and not those of a double negation.
        case .not(let inner): inner
        default: .not(condition)
        }
    }

    /// The number of values that a statement binds for it.
    var valueCount: Int {
        switch self {
        case .always, .never: 0
        case .test(_, let values): values.count
        case .both(let parts), .either(let parts): parts.reduce(0) { $0 + $1.valueCount }
        case .not(let inner): inner.valueCount
        }
    }

    /// The number of tests in it.
    var testCount: Int {
        switch self {
        case .always, .never: 0
        case .test: 1
        case .both(let parts), .either(let parts): parts.reduce(0) { $0 + $1.testCount }
        case .not(let inner): inner.testCount
        }
    }

    /// The number of parentheses around its innermost test, where it is written as a balanced tree.
    var depth: Int {
        switch self {
        case .always, .never, .test: 1
        case .both(let parts), .either(let parts):
            (parts.map(\.depth).max() ?? 0) + Int.bitWidth - max(0, parts.count - 1).leadingZeroBitCount
        case .not(let inner): 1 + inner.depth
        }
    }

    var isAlways: Bool { if case .always = self { true } else { false } }
    var isNever: Bool { if case .never = self { true } else { false } }
}

/// The text and values of a condition.
struct SQLText {
    private(set) var text = ""
    private(set) var arguments: [SQLValue] = []

    /// Writes a condition.
    ///
    /// - Parameter isNullSafe: Whether it must not be NULL, as in a column and below NOT. Where only AND and OR are
    ///   above it, NULL counts as false anyway, and without a function around it an index is used.
    init(_ condition: SQLCondition, isNullSafe: Bool) { write(condition, isNullSafe) }

    private mutating func write(_ condition: SQLCondition, _ isNullSafe: Bool) {
        switch condition {
        case .always: text += "1"
        case .never: text += "0"
        case .test(let test, let values):
            text += isNullSafe ? "coalesce(\(test), 0)" : "(\(test))"
            arguments += values
        case .both(let parts): write(parts[...], "AND", isNullSafe)
        case .either(let parts): write(parts[...], "OR", isNullSafe)
        case .not(let inner):
            text += "NOT "
            text += "("
            write(inner, true)
            text += ")"
        }
    }

    /// Writes a chain as a balanced tree, so that its depth grows with the logarithm of its length.
    private mutating func write(_ parts: ArraySlice<SQLCondition>, _ word: String, _ isNullSafe: Bool) {
        guard parts.count > 1 else {
            for part in parts {
                write(part, isNullSafe)
            }
            return
        }
        let middle = parts.startIndex + parts.count / 2
        text += "("
        write(parts[..<middle], word, isNullSafe)
        text += " \(word) "
        write(parts[middle...], word, isNullSafe)
        text += ")"
    }
}
