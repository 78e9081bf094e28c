/// Limits for one OData text and for its evaluation. What exceeds one of them throws `limitExceeded`, before it can
/// cause deep recursion, a large tree, long computations or large results.
///
/// Members of a list after `in` count neither as nodes nor as depth; only `length` limits them.
public struct Limits: Sendable, Hashable {
    /// The maximum length of a text in bytes; 1 MiB.
    public var length: Int
    /// The maximum number of nodes in all trees of one text; 100,000.
    public var nodes: Int
    /// The maximum nesting depth of parentheses, signs, `not`, calls, lambdas, nested options and JSON values; 100.
    /// Chains such as `a or b or c` are not nested.
    public var depth: Int
    /// The maximum nesting depth of `any` and `all`; 8.
    public var lambdaDepth: Int
    /// The maximum number of items of `$expand`, with those nested in them; 100.
    public var expandItems: Int
    /// The maximum number of steps of an evaluation for one entity; 10,000,000. A step is about one pass of a loop: a
    /// node of the tree, a member of a collection, 64 bytes of a text.
    public var steps: Int
    /// The maximum number of bytes of all texts and collections that an evaluation for one entity makes; 16 MiB. A
    /// member of a collection counts as 64 bytes.
    public var resultBytes: Int
    /// The maximum number of steps of all evaluations of one query over many entities; 1,000,000,000.
    public var querySteps: Int

    /// Creates limits: the values that each property documents, unless others are given.
    public init(
        length: Int = 1 << 20, nodes: Int = 100_000, depth: Int = 100, lambdaDepth: Int = 8, expandItems: Int = 100,
        steps: Int = 10_000_000, resultBytes: Int = 16 << 20, querySteps: Int = 1_000_000_000
    ) {
        self.length = length
        self.nodes = nodes
        self.depth = depth
        self.lambdaDepth = lambdaDepth
        self.expandItems = expandItems
        self.steps = steps
        self.resultBytes = resultBytes
        self.querySteps = querySteps
    }

    /// The limits that are used if none are given.
    public static let `default` = Limits()
}
