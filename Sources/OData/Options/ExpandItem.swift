/// One item of `$expand`.
public struct ExpandItem: Sendable {
    /// The path without `/$ref` and `/$count`. It may also be `*`, `$value` or an annotation.
    public let path: String
    public let isReference: Bool
    public let isCount: Bool
    public let levels: Levels?
    public let options: QueryOptions
    /// The offset of the path in the parsed text.
    var offset = 0

    /// How deep `$expand` follows a relation to the same type.
    public enum Levels: Sendable, Hashable {
        case levels(Int64)
        case max
    }

    public init(
        path: String, isReference: Bool = false, isCount: Bool = false, levels: Levels? = nil,
        options: QueryOptions = QueryOptions()
    ) {
        self.path = path
        self.isReference = isReference
        self.isCount = isCount
        self.levels = levels
        self.options = options
    }
}
