/// One step of `$apply`. Source: OData Data Aggregation 4.0, sections 3.1 to 3.10.
public enum Transformation: Sendable {
    /// Keeps the instances for which the predicate is true.
    case filter(ODataExpression)
    /// Adds computed properties.
    case compute([ComputeItem])
    /// Reduces all instances to one with these results.
    case aggregate([Aggregate])
    /// Groups by the properties and applies the steps to each group.
    case groupBy(properties: [GroupingProperty], [Transformation])
    /// Keeps the instances that the search finds.
    case search(SearchExpression)
    /// Sorts the instances.
    case orderBy([OrderByItem])
    /// Leaves out this number of instances from the first one on.
    case skip(Int64)
    /// Keeps this number of instances from the first one on.
    case top(Int64)

    /// The standard aggregation methods.
    public enum Method: String, Sendable, Hashable {
        /// The sum of the values.
        case sum
        /// The smallest value.
        case min
        /// The largest value.
        case max
        /// The sum of the values divided by their number.
        case average
        /// The number of different values.
        case countdistinct
    }

    /// A path by whose values `groupby` groups, and its offset in the text of the option.
    public struct GroupingProperty: Sendable {
        /// The path, with `/` between its names.
        public let path: String
        /// The byte offset of the path in the text of the option.
        public let offset: Int

        /// Creates a grouping property.
        public init(path: String, offset: Int = 0) {
            self.path = path
            self.offset = offset
        }
    }

    /// One result of `aggregate`: an expression, a method and the name of the result.
    public struct Aggregate: Sendable {
        /// The aggregated expression; nil to count the instances (`$count as Name`).
        public let expression: ODataExpression?
        /// The aggregation method; nil for a count or a custom aggregate.
        public let method: Method?
        /// The name of the result.
        public let name: String

        /// Creates a result.
        public init(expression: ODataExpression?, method: Method?, name: String) {
            self.expression = expression
            self.method = method
            self.name = name
        }
    }
}

extension Transformation {
    /// The names that the step gives to what it computes.
    var newNames: [String] {
        switch self {
        case .filter, .search, .orderBy, .skip, .top: []
        case .compute(let items): items.map(\.name)
        case .aggregate(let aggregates): aggregates.map(\.name)
        case .groupBy(_, let steps): steps.flatMap(\.newNames)
        }
    }
}
