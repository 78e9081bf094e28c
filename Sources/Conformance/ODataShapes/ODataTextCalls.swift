public import JSONText
public import OData
public import Soups

/// Implements the calls of the conformance contract for OData texts: URLs, expressions, options and values of
/// expressions.
///
/// Each returns JSON in the form of the contract. With a model and an entity type, names and types are checked as well.
public enum ODataTextCalls {
    /// The arguments of a call other than its text.
    public struct Context: Sendable {
        public var version: ODataVersion
        public var limits: Limits
        /// The model against which names and types are checked.
        public var model: EdmModel?
        /// The qualified name of the type to which the texts apply.
        public var entityType: String?

        public init(
            version: ODataVersion = .v4, limits: Limits = .default, model: EdmModel? = nil, entityType: String? = nil
        ) {
            self.version = version
            self.limits = limits
            self.model = model
            self.entityType = entityType
        }

        fileprivate func check(_ options: QueryOptions) throws(Fault) {
            if let model, let entityType {
                try options.check(against: model, entityType: entityType)
            }
        }
    }

    /// Parses a relative or absolute URL and returns its resource path and options.
    public static func parseURL(_ url: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        let parsed = try ODataURL(parsing: url, version: context.version, limits: context.limits)
        if let model = context.model {
            try parsed.check(against: model, entityType: context.entityType)
        }
        try checkDepth(parsed.options)
        try requireSame(parsed.options, context)
        return parsed.json
    }

    /// Requires that the text of the options means the same options.
    private static func requireSame(_ options: QueryOptions, _ context: Context) throws(Fault) {
        let query = options.query
        // A longer text may be beyond a limit only as it is written.
        guard query.utf8.count < 10_000 else { return }
        let again = try ODataURL.options(parsing: query, version: context.version, limits: context.limits)
        guard again.json == options.json else {
            throw Fault(.corrupt, "the text of the options means others")
        }
    }

    /// Parses the value of `$filter` and returns its tree.
    public static func parseFilter(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        var options = QueryOptions()
        let filter = try ODataExpression(parsing: text, version: context.version, limits: context.limits)
        options.filter = filter
        try context.check(options)
        try checkDepth(filter)
        return filter.json
    }

    /// Parses the value of `$orderby` and returns its items in order.
    public static func parseOrderBy(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        let options = try option(.orderby, text, context)
        return options.orderBy?.json ?? []
    }

    /// Parses the value of `$expand` and returns its items.
    public static func parseExpand(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        let options = try option(.expand, text, context)
        return options.expand?.json ?? []
    }

    /// Parses the value of `$select` and returns its items.
    public static func parseSelect(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        let options = try option(.select, text, context)
        return options.select?.json ?? []
    }

    /// Parses the value of `$search` and returns its tree.
    public static func parseSearch(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        let options = try option(.search, text, context)
        guard let search = options.search else {
            return .null
        }
        let json = search.json
        if search.nodes.count < 1000, try option(.search, search.canonicalText, context).search?.json != json {
            throw Fault(.corrupt, "the canonical text of a search means another one")
        }
        return json
    }

    /// Parses the value of `$compute` and returns its items.
    public static func parseCompute(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        let options = try option(.compute, text, context)
        return options.compute?.json ?? []
    }

    /// Parses the value of `$apply` and returns its steps.
    public static func parseApply(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        let options = try option(.apply, text, context)
        return options.apply?.json ?? []
    }

    /// Writes the value of `$filter` in canonical form. Parsing the result gives the same tree.
    public static func formatFilter(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        var options = QueryOptions()
        let filter = try ODataExpression(parsing: text, version: context.version, limits: context.limits)
        options.filter = filter
        try context.check(options)
        return .string(filter.canonicalText)
    }

    /// Evaluates a filter for an entity: true, false or null. `root` is the value of `$root`, an object with entity
    /// sets.
    public static func evaluate(
        filter: String, entity: JSONValue, root: JSONValue? = nil, _ context: Context = Context()
    ) throws(Fault) -> JSONValue {
        let expression = try ODataExpression(parsing: filter, version: context.version, limits: context.limits)
        let evaluator = try ODataEvaluator(filter: expression, model: context.model, entityType: context.entityType)
        return try evaluator.matches(entity, root: root).map(JSONValue.bool) ?? .null
    }

    /// Applies a query, the text after `?`, to entities: what is left of them, and their number if the query asks for
    /// it.
    public static func applyOptions(
        query: String, entries: [JSONValue], now: EdmDateTimeOffset? = nil, _ context: Context = Context()
    ) throws(Fault) -> JSONValue {
        let runner = try ODataOptionRunner(
            query, version: context.version, model: context.model, entityType: context.entityType, now: now,
            limits: context.limits)
        let (found, count) = try runner.apply(to: entries)
        var result = JSONObject([("entries", .array(found))])
        if let count {
            result["count"] = .number(JSONNumber(count))
        }
        return .object(result)
    }

    /// Parses the value of one option. Throws `unsupported` for an option that does not exist in the version.
    private static func option(_ option: SystemOption, _ text: String, _ context: Context) throws(Fault) -> QueryOptions
    {
        let options = try QueryOptions(
            parsing: text, as: option, version: context.version, limits: context.limits)
        try context.check(options)
        try checkDepth(options)
        return options
    }
}

extension ODataTextCalls {
    /// The maximum depth of the JSON of a tree. A chain of operators is nested in JSON, although it is not in the tree,
    /// and nested JSON values are released recursively.
    static let maximumJSONDepth = 6_000

    private static func checkDepth(_ expression: ODataExpression) throws(Fault) {
        guard expression.nodes.count > maximumJSONDepth else { return }
        var longest = 0
        var length: [Int: Int] = [:]
        // Children come before their parents, so one pass is enough.
        for (index, node) in expression.nodes.enumerated() where node.kind.isBinaryOperator {
            let here = (length[expression.children(of: index)[0]] ?? 0) + 1
            length[index] = here
            longest = max(longest, here)
        }
        if longest > maximumJSONDepth {
            throw Fault(
                .limitExceeded,
                "more than \(maximumJSONDepth) operators in a chain; the tree would be nested too deeply", offset: 0)
        }
    }

    private static func checkDepth(_ options: QueryOptions) throws(Fault) {
        if let filter = options.filter {
            try checkDepth(filter)
        }
        for item in options.orderBy ?? [] {
            try checkDepth(item.expression)
        }
        for item in options.compute ?? [] {
            try checkDepth(item.expression)
        }
        for alias in options.aliases {
            try checkDepth(alias.value)
        }
        if let search = options.search, search.nodes.count > 2 * maximumJSONDepth {
            throw Fault(
                .limitExceeded, "more than \(maximumJSONDepth) words in $search; the tree would be nested too deeply",
                offset: 0)
        }
        for item in options.expand ?? [] {
            try checkDepth(item.options)
        }
        for step in options.apply ?? [] {
            if case .filter(let predicate) = step {
                try checkDepth(predicate)
            }
            if case .compute(let items) = step {
                for item in items {
                    try checkDepth(item.expression)
                }
            }
        }
    }
}
