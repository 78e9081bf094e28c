public import JSONText
public import Soups

/// Applies query options to entities in memory, as a service would: `$apply`, `$compute`, `$search`, `$filter`,
/// `$count`, `$orderby`, `$skip`, `$top`, `$expand` and `$select`, in this order.
///
/// ```swift
/// let runner = try ODataOptionRunner("$filter=Price gt 3&$orderby=Name&$top=10&$count=true")
/// let items: [JSONValue] = [["Name": "Tea", "Price": 5], ["Name": "Milk", "Price": 2.5]]
/// let (found, count) = try runner.apply(to: items)
/// ```
///
/// A runner is created once for each query, prepares its expressions and never changes. It is safe to share between
/// threads. Names and types are checked if there are a model and an entity type; without them data have the types of
/// their JSON values.
///
/// `$orderby` is a total order over any data: null and missing values, false, true, NaN, numbers by their exact value,
/// texts by their Unicode scalars, dates and times by their value, then everything else as equal. Ties keep the order
/// of the sequence, or are reversed if the last item is descending. `$search` looks for words in all texts of an
/// entity, without regard to case. `$expand` finds related entities in the data; `$levels`, tokens, `$root` and what
/// else only a service can answer is `unsupported`. `$format` and custom options are ignored.
///
/// Source: OData URL Conventions 4.01, section 5; OData Data Aggregation 4.0, section 3.
public struct ODataOptionRunner: Sendable {
    private let prepared: PreparedOptions
    private let model: EdmModel?
    private let limits: Limits

    /// Prepares a query: the text after `?`, percent-encoded or not.
    ///
    /// - Parameters:
    ///   - query: The text of the query.
    ///   - version: The version of the text.
    ///   - model: The types and names of the data. With `entityType`, unknown names are faults.
    ///   - entityType: The qualified name of the type of the entities.
    ///   - now: The value of `now()`; nil for the system clock.
    ///   - limits: What the text, an evaluation and all evaluations of the query may cost.
    /// - Throws: `syntax`, `unsupported`, `invalidLiteral`, `unknownProperty`, `typeMismatch`, `limitExceeded`, or
    ///   `invalidArguments` for a computed name that the type has, with a byte offset in the query where there is one.
    public init(
        _ query: String, version: ODataVersion = .v4, model: EdmModel? = nil, entityType: String? = nil,
        now: EdmDateTimeOffset? = nil, limits: Limits = .default
    ) throws(Fault) {
        let bytes = Array(query.utf8)
        guard bytes.count <= limits.length else {
            throw Fault(.limitExceeded, "the query is longer than \(limits.length) bytes", offset: limits.length)
        }
        var reader = URLReader(version: version, plusAsSpace: false, limits: limits)
        let options = try reader.options(bytes[...])
        let texts = reader.texts
        try self.init(
            options, version: version, model: model, entityType: entityType, now: now, limits: limits
        ) { option, fault in texts[option]?.located(fault) ?? fault }
    }

    /// Prepares options. Throws what preparing a query throws; offsets count in the text of each option.
    public init(
        _ options: QueryOptions, version: ODataVersion = .v4, model: EdmModel? = nil, entityType: String? = nil,
        now: EdmDateTimeOffset? = nil, limits: Limits = .default
    ) throws(Fault) {
        try self.init(
            options, version: version, model: model, entityType: entityType, now: now, limits: limits
        ) { _, fault in fault }
    }

    private init(
        _ options: QueryOptions, version: ODataVersion, model: EdmModel?, entityType: String?,
        now: EdmDateTimeOffset?, limits: Limits, locate: @escaping @Sendable (SystemOption, Fault) -> Fault
    ) throws(Fault) {
        try model?.requireType(entityType)
        let entityType = entityType.flatMap { name in model.map { $0.resolve(name) } }
        if let model, let entityType {
            try OptionChecker(model: model, type: entityType, locate: locate).check(options)
        }
        var preparation = OptionPreparation(
            model: model, entityType: entityType, now: now ?? ODataEvaluator.clock(), limits: limits,
            version: version, locate: locate)
        prepared = try preparation.prepare(options)
        self.model = model
        self.limits = limits
    }

    /// Applies the options to JSON objects.
    ///
    /// Entities that nothing projects are returned as they are; numbers keep their digits. Computed and expanded
    /// members follow the others. Without `$orderby`, `$apply` and `$count`, no entity after the last one of the result
    /// is read.
    ///
    /// - Returns: The entities, and the number of those that the filter and the search leave if the options ask for it.
    /// - Throws: What evaluating throws for an entity: `arithmetic`, `typeMismatch`, `limitExceeded`, `unsupported`;
    ///   and `invalidArguments` for a computed name that an entity has as well. An entity that is not an object is
    ///   `invalidEntry`.
    /// - Complexity: O(n), or O(n log n) with `$orderby` and `$apply`, in the number of entities, besides the
    ///   evaluations.
    public func apply(
        to entities: some Sequence<JSONValue>
    ) throws(Fault) -> (entities: [JSONValue], count: Int64?) {
        var execution = OptionExecution<JSONValue>(model: model, limits: limits)
        // Arrays are specialized; any other sequence goes through one type-erased form.
        if let array = entities as? [JSONValue] {
            return try execution.run(prepared, on: array.lazy.map { .data($0) }) { JSONValue($0) }
        }
        return try execution.run(prepared, on: AnySequence(entities.lazy.map { .data($0) })) { JSONValue($0) }
    }

    /// Applies the options to entries of a payload, whose types and expanded entries are seen.
    ///
    /// Returns and throws what the method for JSON objects does. A projected entry keeps its id, type, ETag, links and
    /// annotations.
    public func apply(
        to entries: some Sequence<ODataEntry>
    ) throws(Fault) -> (entities: [ODataEntry], count: Int64?) {
        var execution = OptionExecution<EntryNode>(model: model, limits: limits)
        if let array = entries as? [ODataEntry] {
            return try execution.run(prepared, on: array.lazy.map { .data(EntryNode($0)) }) { ODataEntry($0) }
        }
        return try execution.run(prepared, on: AnySequence(entries.lazy.map { .data(EntryNode($0)) })) {
            ODataEntry($0)
        }
    }
}
