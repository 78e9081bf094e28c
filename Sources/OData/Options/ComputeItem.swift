/// One item of `$compute`: an expression and the name of its result.
public struct ComputeItem: Sendable {
    /// The expression to compute.
    public let expression: ODataExpression
    /// The name of the result.
    public let name: String
    /// The offset of the name in the parsed text.
    let offset: Int

    /// Creates an item.
    public init(expression: ODataExpression, name: String) {
        self.init(expression: expression, name: name, offset: 0)
    }

    init(expression: ODataExpression, name: String, offset: Int) {
        self.expression = expression
        self.name = name
        self.offset = offset
    }
}
