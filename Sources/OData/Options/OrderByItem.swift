/// One item of `$orderby`.
public struct OrderByItem: Sendable {
    public let expression: ODataExpression
    public let isDescending: Bool

    public init(expression: ODataExpression, isDescending: Bool) {
        self.expression = expression
        self.isDescending = isDescending
    }
}
