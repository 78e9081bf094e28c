/// A value of one of SQLite's five types: bound to a statement or returned in a row.
///
/// It has no description, so that bound values never appear in a message or a log.
public enum SQLValue: Sendable, Hashable {
    /// No value.
    case null
    /// An integer of 64 bits.
    case integer(Int64)
    /// A double.
    case real(Double)
    /// UTF-8, as stored in the database.
    case text([UInt8])
    /// Bytes.
    case blob([UInt8])

    /// Makes a text value of a string.
    public static func text(_ string: String) -> SQLValue { .text(Array(string.utf8)) }

    /// Makes the value of a boolean, which SQLite does not have: 1 or 0.
    package static func boolean(_ flag: Bool) -> SQLValue { .integer(flag ? 1 : 0) }
}

// MARK: - Literals
extension SQLValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringLiteral
{
    public init(nilLiteral: ()) { self = .null }
    /// SQLite has no booleans: 1 or 0.
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .real(value) }
    public init(stringLiteral value: String) { self = .text(value) }
}
