public import Soups

/// Holds one value of a row: a value of SQLite, or a whole entry.
public enum StoreCell: Sendable, Hashable {
    /// A value of SQLite.
    case value(SQLValue)
    /// An entry's JSON text.
    case entry([UInt8])
}
