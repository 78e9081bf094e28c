public import Soups

extension ODataEvaluator {
    /// Evaluates the condition for an entry of a payload: true, false, or nil for null. Expanded entries, annotations
    /// and the types that the payload states are seen; so a feed can be filtered while it is read.
    ///
    /// ```swift
    /// let evaluator = try ODataEvaluator(filter: ODataExpression(parsing: "Price gt 3 and not Parts/any()"))
    /// let isWanted = try evaluator.matches(entry) == true
    /// ```
    ///
    /// Throws as `matches(_:)` of JSON data.
    public func matches(_ entry: ODataEntry) throws(Fault) -> Bool? { try matches(EntryNode(entry)) }

    /// Computes the value of the expression for an entry of a payload. Throws what it throws for JSON data.
    public func value(for entry: ODataEntry) throws(Fault) -> ODataValue { try value(for: EntryNode(entry)) }
}
