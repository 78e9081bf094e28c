/// One item of `$select`: `*`, `Ns.*`, a path or an operation, with nested options from 4.01 on.
public struct SelectItem: Sendable {
    /// The path as written, including parameter names in parentheses.
    public let path: String
    /// The nested options in parentheses; `nil` without parentheses.
    public var options: QueryOptions? { nested.first }
    /// The options if there are any. An array, because most items have none and options are large.
    private let nested: [QueryOptions]
    /// The offset of the path in the parsed text.
    let offset: Int

    /// Creates an item for a path.
    public init(path: String, options: QueryOptions? = nil) { self.init(path: path, options: options, offset: 0) }

    init(path: String, options: QueryOptions? = nil, offset: Int) {
        self.offset = offset
        self.path = path
        nested = options.map { [$0] } ?? []
    }
}
