/// Bounds what one OData text may cost; beyond a bound a text ends in the fault `limitExceeded`, never in a deep stack
/// or a large tree.
///
/// The defaults are those of ARCHITECTURE.md. Members of a list after `in` count neither as nodes nor as depth: the
/// length bounds them.
public struct Limits: Sendable, Hashable {
    /// The longest text, in bytes.
    public var length: Int
    /// The most nodes of all trees of one text.
    public var nodes: Int
    /// How deep parentheses, signs, `not`, calls, lambdas, nested options and JSON values may nest. Chains such as `a
    /// or b or c` do not nest.
    public var depth: Int

    public init(length: Int = 1 << 20, nodes: Int = 100_000, depth: Int = 100) {
        self.length = length
        self.nodes = nodes
        self.depth = depth
    }

    public static let `default` = Limits()
}
