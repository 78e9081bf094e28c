/// One item of `$compute`: an expression and the name of its result.
public struct ComputeItem: Sendable {
    /// The expression to compute.
    public let expression: ODataExpression
    /// The name of the result.
    public let name: String

    /// Creates an item.
    public init(expression: ODataExpression, name: String) {
        self.expression = expression
        self.name = name
    }
}
