import OData
import Soups

/// The query of a load: which entities, which of their properties, and what is expanded.
struct LoadQuery: Sendable {
    /// The text after the question mark as it is sent; nil for none.
    let sent: String?
    /// Whether only some properties are asked for.
    let isPartial: Bool
    /// What is expanded of the entities.
    let expansions: LoadExpansions

    /// Reads and checks a query.
    ///
    /// - Parameter isStored: Whether the query is that of a load which has begun. A former version has taken a question
    ///   mark before it, and the load goes on with what it has asked for.
    /// - Throws: `syntax` and other faults of the parser; `invalidArguments` for an option that does not say which
    ///   entities a set has, such as `$top`.
    init(_ text: String, of set: MappedEntitySet, version: ODataVersion, isStored: Bool = false) throws(Fault) {
        if !isStored {
            try Self.checkStart(of: text)
        }
        let options = try ODataURL.options(parsing: text, version: version)
        if let model = set.model, let type = set.entityType {
            try options.check(against: model, entityType: type)
        }
        var rest = options
        rest.filter = nil
        rest.select = nil
        rest.expand = nil
        rest.aliases = []
        rest.custom = []
        guard rest.canonicalText(separator: "&").isEmpty else {
            throw Fault(
                .invalidArguments, "a load takes $filter, $select and $expand; leave the other options out")
        }
        guard options.expansionWithApply == nil else {
            throw Fault(.invalidArguments, "a load reads entities and not groups of them; leave $apply in $expand out")
        }
        let query = options.query
        sent = query.isEmpty ? nil : query
        let selection = (options.select ?? []).map(\.path)
        isPartial = LoadExpansions.isPartial(selection)
        expansions = LoadExpansions(options.expand ?? [], selection: selection, version: version)
    }

    /// Checks that the question mark before a query is left out. With it, the first option would be one of another
    /// name, which is ignored.
    ///
    /// - Throws: `syntax`.
    static func checkStart(of text: String) throws(Fault) {
        guard text.utf8.first != UInt8(ascii: "?") else {
            throw Fault(.syntax, "a query begins behind the question mark; leave that out", offset: 0)
        }
    }
}
