/// Holds the query options of a URL, or of an item of `$expand` or `$select`; nil and empty where an option is absent.
///
/// Source: OData URL Conventions 4.01, section 5; MS-ODATA 2.2.3.6 for 1.0 to 3.0.
public struct QueryOptions: Sendable {
    public var filter: ODataExpression?
    public var orderBy: [OrderByItem]?
    public var select: [SelectItem]?
    public var expand: [ExpandItem]?
    public var compute: [ComputeItem]?
    public var apply: [Transformation]?
    public var search: SearchExpression?
    public var top: Int64?
    public var skip: Int64?
    /// `$count` of 4.x.
    public var count: Bool?
    /// `$inlinecount` of 2.0 and 3.0: `allpages` is true.
    public var inlineCount: Bool?
    /// Opaque texts, decoded once.
    public var skipToken: String?
    public var deltaToken: String?
    public var format: String?
    public var id: String?
    public var index: Int64?
    public var schemaVersion: String?
    /// In the order of the text; each name once.
    public var aliases: [Alias] = []
    public var custom: [CustomOption] = []

    public init() {}

    /// Holds a parameter alias with its `@`, and what stands for it.
    public struct Alias: Sendable {
        public let name: String
        public let value: ODataExpression

        public init(name: String, value: ODataExpression) {
            self.name = name
            self.value = value
        }
    }

    /// Holds an option that OData does not define: its name begins with neither `$` nor `@`.
    public struct CustomOption: Sendable, Equatable {
        public let name: String
        /// Empty where the option has no `=`.
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Finds the expression of a declared alias; an alias that nobody declared stands for null.
    public func alias(_ name: String) -> ODataExpression? {
        aliases.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}

/// Holds one term of `$orderby`.
public struct OrderByItem: Sendable {
    public let expression: ODataExpression
    public let isDescending: Bool

    public init(expression: ODataExpression, isDescending: Bool) {
        self.expression = expression
        self.isDescending = isDescending
    }
}

/// Holds one item of `$select`: `*`, `Ns.*`, a path or an operation, with nested options from 4.01 on.
public struct SelectItem: Sendable {
    /// The path as written, brackets of parameter names included.
    public let path: String
    public let options: QueryOptions?
    /// Where the path stands in the text that was parsed.
    let offset: Int

    public init(path: String, options: QueryOptions? = nil) { self.init(path: path, options: options, offset: 0) }

    init(path: String, options: QueryOptions? = nil, offset: Int) {
        self.offset = offset
        self.path = path
        self.options = options
    }
}

/// Holds one item of `$expand`.
public struct ExpandItem: Sendable {
    /// The path without `/$ref` and `/$count`; `*`, `$value` and annotations too.
    public let path: String
    public let isReference: Bool
    public let isCount: Bool
    public let levels: Levels?
    public let options: QueryOptions
    /// Where the path stands in the text that was parsed.
    var offset = 0

    /// Says how deep `$expand` follows a relation back to its own type.
    public enum Levels: Sendable, Hashable {
        case levels(Int64)
        case max
    }

    public init(
        path: String, isReference: Bool = false, isCount: Bool = false, levels: Levels? = nil,
        options: QueryOptions = QueryOptions()
    ) {
        self.path = path
        self.isReference = isReference
        self.isCount = isCount
        self.levels = levels
        self.options = options
    }
}

/// Holds one item of `$compute`: an expression and the name of its result.
public struct ComputeItem: Sendable {
    public let expression: ODataExpression
    public let name: String

    public init(expression: ODataExpression, name: String) {
        self.expression = expression
        self.name = name
    }
}

/// Holds one step of `$apply`. Source: OData Data Aggregation 4.0, sections 3.1 to 3.10.
public enum Transformation: Sendable {
    case filter(ODataExpression)
    case compute([ComputeItem])
    case aggregate([Aggregate])
    case groupBy(properties: [GroupingProperty], [Transformation])

    /// Names the standard methods of aggregation.
    public enum Method: String, Sendable, Hashable {
        case sum, min, max, average, countdistinct
    }

    /// Names a path whose values make the groups, and where it stands in the text of the option.
    public struct GroupingProperty: Sendable {
        public let path: String
        public let offset: Int

        public init(path: String, offset: Int = 0) {
            self.path = path
            self.offset = offset
        }
    }

    /// Describes one result of `aggregate`: what, by which method, under which name.
    public struct Aggregate: Sendable {
        /// What is aggregated; nil counts the instances (`$count as Name`).
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
