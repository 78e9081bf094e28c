package import Soups

/// A query over rows of a store: its options, checked, to be prepared for the relations that a caller gives.
package struct RowQuery: Sendable {
    package let options: QueryOptions
    package let version: ODataVersion
    /// The model, whose entity types also have the members that every row has.
    package let model: EdmModel?
    package let entityType: String?
    package let limits: Limits
    package let now: EdmDateTimeOffset
    private let texts: [SystemOption: PercentDecoded]
    private let offsets: [SystemOption: Int]
    /// The options as they are prepared without relations, if relations make no difference.
    private var withoutRelations: PreparedOptions?

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
        options = try reader.options(bytes[...])
        texts = reader.texts
        offsets = reader.offsets
        let known = model.map { $0.describingRows() }
        self.model = known
        self.entityType = entityType.flatMap { name in known.map { $0.resolve(name) } }
        self.version = version
        self.limits = limits
        self.now = now ?? ODataEvaluator.clock()
        guard options.expand != nil || options.search != nil else {
            withoutRelations = try prepared(options, relations: RelationNames())
            return
        }
        var rest = options
        rest.expand = nil
        rest.search = nil
        _ = try prepared(rest, relations: RelationNames())
    }

    /// A fault about an option as a whole.
    package func unsupported(_ option: SystemOption, _ message: String) -> Fault {
        Fault(.unsupported, message, offset: offsets[option])
    }

    /// The fault with its offset in the text of an option as one in the query.
    package func located(_ fault: Fault, in option: SystemOption) -> Fault { texts[option]?.located(fault) ?? fault }

    /// Checks names and types with the relations of a soup, and prepares the options.
    package func prepared(relations: RelationNames) throws(Fault) -> PreparedOptions {
        if let withoutRelations {
            return withoutRelations
        }
        return try prepared(options, relations: relations)
    }

    private func prepared(_ options: QueryOptions, relations: RelationNames) throws(Fault) -> PreparedOptions {
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
