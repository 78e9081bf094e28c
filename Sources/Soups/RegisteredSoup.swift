/// A soup in a store: its table, its index specs with their columns, and its features.
public struct RegisteredSoup: Sendable, Hashable {
    /// The name and the features.
    public let spec: SoupSpec
    /// The number in the name of the table. It is never reused.
    public let id: Int64
    /// The index specs in the order of registration, each with its column.
    public let indexSpecs: [IndexSpec]
    /// The module of the full-text table, if the soup has one.
    public let fullTextVersion: FullTextVersion?
    /// Whether full-text columns also have an ordinary index, as Mobile SDK makes it. Without it a query of kind exact,
    /// range or like on such a path reads every entry. True for a soup without full-text paths.
    public let hasFullTextIndexes: Bool

    package init(
        spec: SoupSpec, id: Int64, indexSpecs: [IndexSpec], fullTextVersion: FullTextVersion?,
        hasFullTextIndexes: Bool = true
    ) {
        self.spec = spec
        self.id = id
        self.indexSpecs = indexSpecs
        self.fullTextVersion = fullTextVersion
        self.hasFullTextIndexes = hasFullTextIndexes
    }

    /// The name.
    public var name: String { spec.name }
    /// The name of the soup's table in the database.
    public var tableName: String { SoupTableName(id).description }
    /// The name of the full-text table, which exists only if the soup has full-text paths.
    public var fullTextTableName: String { SoupTableName(id).fullText }
    /// Whether entries are stored in separate files.
    public var storesExternally: Bool { spec.features.contains(.externalStorage) }

    /// Returns the index spec with a path, compared by bytes. O(n) in the number of specs.
    public func indexSpec(for path: String) -> IndexSpec? {
        let key = ByteKey(path)
        return indexSpecs.first { ByteKey($0.path) == key }
    }

    /// The specs of the full-text columns, in order.
    public var fullTextSpecs: [IndexSpec] { indexSpecs.filter { $0.type == .fullText } }
}
