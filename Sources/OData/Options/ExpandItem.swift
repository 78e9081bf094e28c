/// Holds one item of `$expand`.
public struct ExpandItem: Sendable {
    /// The path without `/$ref` and `/$count`; `*`, `$value` and annotations too.
    public let path: String
    public let isReference: Bool
    public let isCount: Bool
    public let levels: Levels?
    public let options: QueryOptions
    /// Where the path stands in the text that was parsed.
    var offset = 0

    /// Says how deep `$expand` follows a relation back to its own type.
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
