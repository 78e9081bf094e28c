public import JSONText
public import OData
public import Soups

/// Answers the calls of the conformance contract that are about texts: URLs, expressions, options, values of
/// expressions.
///
/// Each gives the JSON of the contract's shapes. With a model, names and types are checked too, where `entityType` says
/// which.
public enum ODataTextCalls {
    /// Holds what a call is about beside its text.
    public struct Context: Sendable {
        public var version: ODataVersion
        public var limits: Limits
        /// Names and types are checked against this.
        public var model: EdmModel?
        /// The qualified name of the type that the texts are about.
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

    /// Parses a relative or absolute URL and gives its resource path and options.
    public static func parseURL(_ url: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        let parsed = try ODataURL(parsing: url, version: context.version, limits: context.limits)
        if let model = context.model {
            try parsed.check(against: model, entityType: context.entityType)
        }
        try checkDepth(parsed.options)
        return parsed.json
    }

    /// Parses the value of `$filter` and gives its tree.
    public static func parseFilter(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        var options = QueryOptions()
        let filter = try ODataExpression(parsing: text, version: context.version, limits: context.limits)
        options.filter = filter
        try context.check(options)
        try checkDepth(filter)
        return filter.json
    }

    /// Parses the value of `$orderby` and gives its terms in order.
    public static func parseOrderBy(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        let options = try option(.orderby, text, context)
        return options.orderBy?.json ?? []
    }

    /// Parses the value of `$expand` and gives its items.
    public static func parseExpand(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        let options = try option(.expand, text, context)
        return options.expand?.json ?? []
    }

    /// Parses the value of `$select` and gives its items.
    public static func parseSelect(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        let options = try option(.select, text, context)
        return options.select?.json ?? []
    }

    /// Parses the value of `$search` and gives its tree.
    public static func parseSearch(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        let options = try option(.search, text, context)
        return options.search?.json ?? .null
    }

    /// Writes the value of `$filter` in canonical text: parsing that gives the same tree.
    public static func formatFilter(_ text: String, _ context: Context = Context()) throws(Fault) -> JSONValue {
        var options = QueryOptions()
        let filter = try ODataExpression(parsing: text, version: context.version, limits: context.limits)
        options.filter = filter
        try context.check(options)
        return .string(filter.canonicalText)
    }

    /// Evaluates a filter for an entity: true, false or null. `root` has the entity sets that `$root` leads to.
    public static func evaluate(
        filter: String, entity: JSONValue, root: JSONValue? = nil, _ context: Context = Context()
    ) throws(Fault) -> JSONValue {
        let expression = try ODataExpression(parsing: filter, version: context.version, limits: context.limits)
        let evaluator = try ODataEvaluator(filter: expression, model: context.model, entityType: context.entityType)
        return try evaluator.matches(entity, root: root).map(JSONValue.bool) ?? .null
    }

    /// Parses the value of one option alone; an option that the version lacks is `unsupported`.
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
    /// How deep the JSON of a tree may be. Chains of operators nest in it although they do not in the tree, and a
    /// deeply nested JSON value is released by recursion.
    static let maximumJSONDepth = 6_000

    private static func checkDepth(_ expression: ODataExpression) throws(Fault) {
        guard expression.nodes.count > maximumJSONDepth else { return }
        var longest = 0
        var length: [Int: Int] = [:]
        // Children stand before their parents, so one pass suffices.
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
