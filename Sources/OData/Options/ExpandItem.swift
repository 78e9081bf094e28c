/// One item of `$expand`.
public struct ExpandItem: Sendable {
    /// The path without `/$ref` and `/$count`. It may also be `*`, `$value` or an annotation.
    public let path: String
    /// Whether only the references of the entities are requested (`/$ref`).
    public let isReference: Bool
    /// Whether only the number of entities is requested (`/$count`).
    public let isCount: Bool
    /// The value of `$levels`; nil if it is not given.
    public let levels: Levels?
    /// The nested options in parentheses.
    public var options: QueryOptions { nested.first ?? QueryOptions() }
    /// The options if there are parentheses. An array, because most items have none and options are large.
    private let nested: [QueryOptions]
    /// The offset of the path in the parsed text.
    package var offset = 0

    /// How deep `$expand` follows a relation to the same type.
    public enum Levels: Sendable, Hashable {
        /// A number of levels.
        case levels(Int64)
        /// All levels that the service allows.
        case max
    }

    /// Creates an item for a path.
    public init(
        path: String, isReference: Bool = false, isCount: Bool = false, levels: Levels? = nil,
        options: QueryOptions = QueryOptions()
    ) {
        self.init(path: path, isReference: isReference, isCount: isCount, levels: levels, nested: [options])
    }

    /// Creates an item without parentheses.
    init(plain path: String, isReference: Bool = false, isCount: Bool = false) {
        self.init(path: path, isReference: isReference, isCount: isCount, levels: nil, nested: [])
    }

    private init(path: String, isReference: Bool, isCount: Bool, levels: Levels?, nested: [QueryOptions]) {
        self.path = path
        self.isReference = isReference
        self.isCount = isCount
        self.levels = levels
        self.nested = nested
    }
}
