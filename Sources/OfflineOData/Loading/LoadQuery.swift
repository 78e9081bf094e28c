import OData
import Soups

/// The query of a load: which entities, which of their properties, and what is expanded.
struct LoadQuery: Sendable {
    /// The text behind the question mark as it is sent; nil for none.
    let sent: String?
    /// Whether only some properties are asked for.
    let isPartial: Bool
    private let expansions: [ByteKey: Expansion]

    private struct Expansion: Sendable {
        /// Whether the answer has all related entities.
        let isWhole: Bool
        /// Whether only some properties of the related entities are asked for.
        let isPartial: Bool
    }

    /// Reads and checks a query.
    ///
    /// - Throws: `syntax` and other faults of the parser; `invalidArguments` for an option that does not say which
    ///   entities a set has, such as `$top`.
    init(_ text: String, of set: MappedEntitySet, version: ODataVersion) throws(Fault) {
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
        let query = options.query
        sent = query.isEmpty ? nil : query
        let selection = options.select ?? []
        isPartial = !selection.isEmpty && !selection.contains { $0.path == "*" }
        var expansions: [ByteKey: Expansion] = [:]
        for item in options.expand ?? [] {
            let nested = item.options
            let name = item.path.split(separator: "/").first.map(String.init) ?? item.path
            expansions[ByteKey(name)] = Expansion(
                isWhole: nested.filter == nil && nested.search == nil && nested.top == nil && nested.skip == nil
                    && !item.isReference && !item.isCount,
                isPartial: nested.select != nil)
        }
        self.expansions = expansions
    }

    /// Whether anything is expanded.
    var expands: Bool { !expansions.isEmpty }

    func isWhole(_ navigation: String) -> Bool { expansions[ByteKey(navigation)]?.isWhole ?? false }
    func isPartial(_ navigation: String) -> Bool { expansions[ByteKey(navigation)]?.isPartial ?? false }
}
