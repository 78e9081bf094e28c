/// One item of `$compute`: an expression and the name of its result.
public struct ComputeItem: Sendable {
    public let expression: ODataExpression
    public let name: String

    public init(expression: ODataExpression, name: String) {
        self.expression = expression
        self.name = name
    }
}
