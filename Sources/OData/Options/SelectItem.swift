/// Holds one item of `$select`: `*`, `Ns.*`, a path or an operation, with nested options from 4.01 on.
public struct SelectItem: Sendable {
    /// The path as written, brackets of parameter names included.
    public let path: String
    public let options: QueryOptions?
    /// Where the path stands in the text that was parsed.
    let offset: Int

    public init(path: String, options: QueryOptions? = nil) { self.init(path: path, options: options, offset: 0) }

    init(path: String, options: QueryOptions? = nil, offset: Int) {
        self.offset = offset
        self.path = path
        self.options = options
    }
}
