/// Holds one of SQLite's five kinds of value: what is bound to a statement and what a row returns.
///
/// It has no description: bound values never reach a message or a log.
public enum SQLValue: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    /// UTF-8, as it stands in the database.
    case text([UInt8])
    case blob([UInt8])

    /// Makes a text of a string.
    public static func text(_ string: String) -> SQLValue { .text(Array(string.utf8)) }
}
