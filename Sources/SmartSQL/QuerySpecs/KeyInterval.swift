import Soups

/// An interval of a column's values, including its bounds. A missing bound means no limit on that side. No interval
/// with a bound contains NULL.
struct KeyInterval: Sendable {
    var lower: SQLValue?
    var upper: SQLValue?
    /// Whether the upper bound is exclusive, as for the end of a prefix.
    var excludesUpper = false
    /// Whether both bounds are the same key.
    var isPoint = false

    static func point(_ value: SQLValue) -> KeyInterval { KeyInterval(lower: value, upper: value, isPoint: true) }
    static let everything = KeyInterval()

    var isEverything: Bool { lower == nil && upper == nil }

    func lowerCondition(_ column: String) -> SQLFragment? {
        lower.map { SQLFragment(text: "\(column) >= ?", bindings: [$0]) }
    }

    func upperCondition(_ column: String) -> SQLFragment? {
        upper.map { SQLFragment(text: "\(column) \(excludesUpper ? "<" : "<=") ?", bindings: [$0]) }
    }

    /// Whether the conditions of both intervals have the same text.
    func hasLayout(of other: KeyInterval) -> Bool {
        (lower == nil) == (other.lower == nil) && (upper == nil) == (other.upper == nil)
            && excludesUpper == other.excludesUpper && isPoint == other.isPoint
    }

    /// Adds the bindings of `conditions`.
    func append(to values: inout [SQLValue]) {
        if let lower {
            values.append(lower)
        }
        if let upper, !isPoint {
            values.append(upper)
        }
    }

    func conditions(_ column: String) -> [SQLFragment] {
        if isPoint, let lower {
            return [SQLFragment(text: "\(column) = ?", bindings: [lower])]
        }
        return [lowerCondition(column), upperCondition(column)].compactMap { $0 }
    }

    /// Whether every value of the interval sorts before the key in SQLite's order.
    func ends(before key: SQLValue) -> Bool {
        guard let upper else { return false }
        return upper.precedes(key) || (excludesUpper && !key.precedes(upper))
    }

    /// Whether every value of the interval sorts after the key.
    func begins(after key: SQLValue) -> Bool {
        guard let lower else { return false }
        return key.precedes(lower)
    }
}

extension SQLValue {
    /// Whether the value sorts before another one in SQLite's order: NULL, numbers, text by bytes, blobs.
    func precedes(_ other: SQLValue) -> Bool {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): a < b
        case (.real(let a), .real(let b)): a < b
        case (.integer(let a), .real(let b)): Self.isLess(a, b)
        case (.real(let a), .integer(let b)): Self.isMore(b, a)
        case (.text(let a), .text(let b)), (.blob(let a), .blob(let b)): a.lexicographicallyPrecedes(b)
        default: rank < other.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .real: 1
        case .text: 2
        case .blob: 3
        }
    }

    /// Compares exactly, because a double cannot represent every integer.
    private static func isLess(_ a: Int64, _ b: Double) -> Bool {
        if b >= 0x1p63 {
            return true
        }
        if b < -0x1p63 || b.isNaN {
            return false
        }
        let whole = Int64(b.rounded(.down))
        return a < whole || (a == whole && Double(whole) < b)
    }

    private static func isMore(_ a: Int64, _ b: Double) -> Bool {
        if b >= 0x1p63 {
            return false
        }
        if b < -0x1p63 || b.isNaN {
            return true
        }
        let whole = Int64(b.rounded(.down))
        return a > whole
    }
}
