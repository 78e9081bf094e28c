/// Holds the rows of a Smart SQL text, with the names of their columns.
///
/// ```swift
/// let text = "SELECT {contacts:name}, {contacts:age} FROM {contacts} ORDER BY {contacts:name}"
/// for row in try store.rows(text) {
///     lines.append("\(try row.string(0)): \(row["age"]?.int64 ?? 0)")
/// }
/// ```
///
/// The name of a column is its alias; else, for a plain `{soup:path}`, the path; else the name that SQLite gives it.
public struct RowList: Sendable, Hashable, RandomAccessCollection {
    /// The names of the columns, in order.
    public let columns: [String]
    private let rows: [[StoreCell]]

    init(columns: [String], rows: [[StoreCell]]) {
        self.columns = columns
        self.rows = rows
    }

    public var startIndex: Int { 0 }
    public var endIndex: Int { rows.count }

    /// Returns one row.
    public subscript(index: Int) -> StoreRow { StoreRow(columns: columns, cells: rows[index]) }

    public static func == (a: RowList, b: RowList) -> Bool {
        a.rows == b.rows && a.columns.elementsEqual(b.columns) { $0.utf8.elementsEqual($1.utf8) }
    }
}
