/// A path of a soup's entries that is indexed, and the type of the index. A registered spec also has a column. Source:
/// guide, Registering a Soup.
///
/// ```swift
/// let specs: [IndexSpec] = [.string("customer.name"), .integer("number"), .floating("total"), .fullText("note")]
/// try store.registerSoup("orders", indexSpecs: specs)
/// ```
public struct IndexSpec: Sendable {
    /// Member names joined by dots. A path may go through arrays.
    public let path: String
    /// How values are stored and compared.
    public let type: IndexType
    /// After registration, the column (`TABLE_1_0`) or, for json1, the SQL expression that is used instead.
    public let columnName: String?

    /// Creates a spec. Leave out the column: it is given at registration.
    public init(path: String, type: IndexType, columnName: String? = nil) {
        self.path = path
        self.type = type
        self.columnName = columnName
    }

    /// Makes a spec that indexes a path as text.
    public static func string(_ path: String) -> IndexSpec { IndexSpec(path: path, type: .string) }
    /// Makes a spec that indexes a path as 64-bit integers.
    public static func integer(_ path: String) -> IndexSpec { IndexSpec(path: path, type: .integer) }
    /// Makes a spec that indexes a path as floating-point numbers.
    public static func floating(_ path: String) -> IndexSpec { IndexSpec(path: path, type: .floating) }
    /// Makes a spec that indexes the words at a path, for match queries.
    public static func fullText(_ path: String) -> IndexSpec { IndexSpec(path: path, type: .fullText) }
    /// Makes a spec that indexes a path by `json_extract`, without a column.
    public static func json1(_ path: String) -> IndexSpec { IndexSpec(path: path, type: .json1) }
}

extension IndexSpec: Hashable {
    /// What two specs have in common if they are equal.
    private struct Identity: Hashable {
        let path: ByteKey
        let type: IndexType
        let columnName: ByteKey?
    }

    private var identity: Identity {
        Identity(path: ByteKey(path), type: type, columnName: columnName.map(ByteKey.init))
    }

    /// Compares path and column by their bytes, so two normal forms of `é` are different paths.
    public static func == (a: IndexSpec, b: IndexSpec) -> Bool { a.identity == b.identity }

    public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
