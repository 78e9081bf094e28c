package import Soups

/// A query over rows of a store: its options, checked, to be prepared for the relations that a caller gives. A class, so
/// that whoever keeps a query copies none of its options.
package final class RowQuery: Sendable {
    package let options: QueryOptions
    private let preparation: RowPreparation
    private let offsets: [SystemOption: Int]
    /// The options as they are prepared without relations, if relations make no difference.
    private let withoutRelations: PreparedOptions?

    package var version: ODataVersion { preparation.version }
    /// The model, whose entity types also have the members that every row has.
    package var model: EdmModel? { preparation.model }
    package var entityType: String? { preparation.entityType }
    package var limits: Limits { preparation.limits }
    package var now: EdmDateTimeOffset { preparation.now }

    /// Parses and checks a query, the text after `?`. What `$expand` names is checked when it is prepared.
    ///
    /// - Throws: `syntax`, `unsupported`, `invalidLiteral`, `unknownProperty`, `typeMismatch` or `limitExceeded`, with
    ///   a byte offset in the query where there is one.
    package init(
        _ query: String, version: ODataVersion, model: EdmModel?, entityType: String?, now: EdmDateTimeOffset?,
        limits: Limits
    ) throws(Fault) {
        let bytes = Array(query.utf8)
        guard bytes.count <= limits.length else {
            throw Fault(.limitExceeded, "the query is longer than \(limits.length) bytes", offset: limits.length)
        }
        try model?.requireType(entityType)
        var reader = URLReader(version: version, plusAsSpace: false, limits: limits)
        let options = try reader.options(bytes[...])
        let preparation = RowPreparation(
            reader.texts, version: version, model: model, entityType: entityType, now: now, limits: limits)
        self.options = options
        self.preparation = preparation
        offsets = reader.offsets
        guard options.expand != nil || options.search != nil else {
            withoutRelations = try preparation.prepared(options, relations: RelationNames())
            return
        }
        withoutRelations = nil
        var rest = options
        rest.expand = nil
        rest.search = nil
        _ = try preparation.prepared(rest, relations: RelationNames())
    }

    /// A fault about an option as a whole.
    package func unsupported(_ option: SystemOption, _ message: String) -> Fault {
        Fault(.unsupported, message, offset: offsets[option])
    }

    /// The fault with its offset in the text of an option as one in the query.
    package func located(_ fault: Fault, in option: SystemOption) -> Fault { preparation.located(fault, in: option) }

    /// Checks names and types with the relations of a soup, and prepares the options.
    package func prepared(relations: RelationNames) throws(Fault) -> PreparedOptions {
        if let withoutRelations {
            return withoutRelations
        }
        return try preparation.prepared(options, relations: relations)
    }
}

/// What the options of a query over rows are checked and prepared with.
private struct RowPreparation: Sendable {
    let version: ODataVersion
    let model: EdmModel?
    let entityType: String?
    let limits: Limits
    let now: EdmDateTimeOffset
    private let texts: [SystemOption: PercentDecoded]

    init(
        _ texts: [SystemOption: PercentDecoded], version: ODataVersion, model: EdmModel?, entityType: String?,
        now: EdmDateTimeOffset?, limits: Limits
    ) {
        let known = model.map { $0.describingRows() }
        self.texts = texts
        self.model = known
        self.entityType = entityType.flatMap { name in known.map { $0.resolve(name) } }
        self.version = version
        self.limits = limits
        self.now = now ?? ODataEvaluator.clock()
    }

    func located(_ fault: Fault, in option: SystemOption) -> Fault { texts[option]?.located(fault) ?? fault }

    func prepared(_ options: QueryOptions, relations: RelationNames) throws(Fault) -> PreparedOptions {
        let texts = texts
        let locate: @Sendable (SystemOption, Fault) -> Fault = { texts[$0]?.located($1) ?? $1 }
        if let model, let entityType {
            try OptionChecker(model: model, type: entityType, locate: locate, relations: relations).check(options)
        }
        var preparation = OptionPreparation(
            model: model, entityType: entityType, now: now, limits: limits, version: version,
            locate: locate)
        preparation.relations = relations
        return try preparation.prepare(options)
    }
}
