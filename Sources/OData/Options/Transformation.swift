/// One step of `$apply`. Source: OData Data Aggregation 4.0, sections 3.1 to 3.10.
public enum Transformation: Sendable {
    case filter(ODataExpression)
    case compute([ComputeItem])
    case aggregate([Aggregate])
    case groupBy(properties: [GroupingProperty], [Transformation])

    /// The standard aggregation methods.
    public enum Method: String, Sendable, Hashable {
        case sum, min, max, average, countdistinct
    }

    /// A path by whose values `groupby` groups, and its offset in the text of the option.
    public struct GroupingProperty: Sendable {
        public let path: String
        public let offset: Int

        public init(path: String, offset: Int = 0) {
            self.path = path
            self.offset = offset
        }
    }

    /// One result of `aggregate`: an expression, a method and the name of the result.
    public struct Aggregate: Sendable {
        /// The aggregated expression; nil to count the instances (`$count as Name`).
        public let expression: ODataExpression?
        public let method: Method?
        public let name: String

        public init(expression: ODataExpression?, method: Method?, name: String) {
            self.expression = expression
            self.method = method
            self.name = name
        }
    }
}
