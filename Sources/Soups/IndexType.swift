/// How the values at an index path are stored and searched. Source: guide, SmartStore data types.
public enum IndexType: String, Sendable, Hashable, CaseIterable {
    /// Text: numbers as written in the entry, booleans as `true` and `false`, objects and arrays as compact JSON.
    case string
    /// 64-bit integers. Other numbers are stored as REAL, booleans as 1 and 0, numeric text as the number, and
    /// everything else as NULL.
    case integer
    /// 8-byte floating-point numbers; otherwise like `integer`.
    case floating
    /// Like `string`, and searchable by match queries.
    case fullText = "full_text"
    /// No column, but an index over `json_extract`, with the value as SQLite reads it.
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
