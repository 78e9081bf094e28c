/// One item of `$orderby`.
public struct OrderByItem: Sendable {
    /// The expression to sort by.
    public let expression: ODataExpression
    /// Whether the largest values come first.
    public let isDescending: Bool

    /// Creates an item.
    public init(expression: ODataExpression, isDescending: Bool) {
        self.expression = expression
        self.isDescending = isDescending
    }
}
