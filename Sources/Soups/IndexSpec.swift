/// Names a path of a soup's entries that is indexed, and how. Once registered it also has a column. Source: guide,
/// Registering a Soup.
public struct IndexSpec: Sendable {
    /// Member names joined by dots; arrays on the way are walked through.
    public let path: String
    /// How values are kept and compared.
    public let type: IndexType
    /// After registration: the column (`TABLE_1_0`) or, for json1, the SQL expression that takes its place.
    public let columnName: String?

    public init(path: String, type: IndexType, columnName: String? = nil) {
        self.path = path
        self.type = type
        self.columnName = columnName
    }

    /// Indexes a path as text.
    public static func string(_ path: String) -> IndexSpec { IndexSpec(path: path, type: .string) }
    /// Indexes a path as integers of 64 bits.
    public static func integer(_ path: String) -> IndexSpec { IndexSpec(path: path, type: .integer) }
    /// Indexes a path as floating-point numbers.
    public static func floating(_ path: String) -> IndexSpec { IndexSpec(path: path, type: .floating) }
    /// Indexes the words at a path, for match queries.
    public static func fullText(_ path: String) -> IndexSpec { IndexSpec(path: path, type: .fullText) }
    /// Indexes a path by `json_extract`, without a column.
    public static func json1(_ path: String) -> IndexSpec { IndexSpec(path: path, type: .json1) }
}

extension IndexSpec: Hashable {
    /// Compares path and column by their bytes: `é` written in two ways is two paths.
    public static func == (a: IndexSpec, b: IndexSpec) -> Bool {
        a.type == b.type && ByteKey(a.path) == ByteKey(b.path)
            && a.columnName.map(ByteKey.init) == b.columnName.map(ByteKey.init)
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(ByteKey(path))
        hasher.combine(type)
        hasher.combine(columnName.map(ByteKey.init))
    }
}
