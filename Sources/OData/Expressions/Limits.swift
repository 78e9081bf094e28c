/// Limits for one OData text. A text that exceeds one of them throws `limitExceeded` before it can cause deep recursion
/// or a large tree.
///
/// Members of a list after `in` count neither as nodes nor as depth; only `length` limits them.
public struct Limits: Sendable, Hashable {
    /// The maximum length of a text in bytes.
    public var length: Int
    /// The maximum number of nodes in all trees of one text.
    public var nodes: Int
    /// The maximum nesting depth of parentheses, signs, `not`, calls, lambdas, nested options and JSON values. Chains
    /// such as `a or b or c` are not nested.
    public var depth: Int

    /// Creates limits: 1 MiB of text, 100,000 nodes and a depth of 100 unless others are given.
    public init(length: Int = 1 << 20, nodes: Int = 100_000, depth: Int = 100) {
        self.length = length
        self.nodes = nodes
        self.depth = depth
    }

    /// The limits that are used if none are given.
    public static let `default` = Limits()
}
