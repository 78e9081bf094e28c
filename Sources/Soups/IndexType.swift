/// Says how the values at an index path are kept and searched. Source: guide, SmartStore data types.
public enum IndexType: String, Sendable, Hashable, CaseIterable {
    /// Text; numbers as written in the entry, booleans as `true` and `false`, objects and arrays as compact JSON.
    case string
    /// 64-bit integers; other numbers stay REAL, booleans are 1 and 0, text that is a number is that number, the rest
    /// is NULL.
    case integer
    /// 8-byte floating point, otherwise as `integer`.
    case floating
    /// As `string`, and searchable by match queries.
    case fullText = "full_text"
    /// No column: an index over `json_extract`, with SQLite's own reading of the value.
    case json1

    /// Whether a soup's table has a column for the values at the path.
    public var hasColumn: Bool { columnType != nil }

    /// The SQL type of the column in the soup's table; nil if the type has no column.
    public var columnType: String? {
        switch self {
        case .string, .fullText: "TEXT"
        case .integer: "INTEGER"
        case .floating: "REAL"
        case .json1: nil
        }
    }
}
