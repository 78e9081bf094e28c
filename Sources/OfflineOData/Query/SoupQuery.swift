public import OData
public import Soups

/// A query in OData over the rows of a soup, parsed and checked.
///
/// ```swift
/// let query = try SoupQuery("$filter=Price gt 2.5&$orderby=Name&$top=20&$count=true")
/// var cursor = try store.query(odata: query, in: "products")
/// let total = cursor.count
/// ```
///
/// The text is what follows `?` in a URL, percent-encoded or not. The soup is the entity set. With a model and an
/// entity type names and types are checked, and the members that every row has are known: `_soupEntryId`,
/// `_soupLastModifiedDate`, the flags of local changes, `__key__`. Without them data have the types of their JSON
/// values.
///
/// A query gives what an evaluation over all rows of the soup gives. Indexes change only the time. One that is sorted
/// by a path with an index of texts sorts nothing if all values are texts or null: it reads along the index. A query
/// that is kept and run again is neither parsed nor planned again, as long as its soup has the same indexes. The same
/// goes for the last 64 texts of up to 4,096 bytes that were asked for without a model, without a time and without
/// `now()`. A query never changes and is safe to share between threads. With `$apply` all rows that its first filters
/// keep are read at once, and the cursor keeps the results. Source: OData URL Conventions 4.01, section 5.
public struct SoupQuery: Sendable {
    let query: RowQuery
    let pageSize: Int
    let sortBytes: Int
    /// Whether indexes may be used; otherwise all rows are evaluated.
    package var usesIndexes = true {
        didSet { plans = KeptPlans() }
    }
    /// How the query was answered over the soups that it ran over last. Copies share it, and queries that were parsed
    /// once.
    private(set) var plans: KeptPlans

    /// Parses and checks a query.
    ///
    /// - Parameters:
    ///   - query: The text of the query.
    ///   - version: The version of the text.
    ///   - model: The types and names of the rows. With `entityType`, unknown names are faults.
    ///   - entityType: The qualified name of the type of the rows.
    ///   - limits: What the text, the evaluation for one row and that of the whole query may cost.
    ///   - now: The value of `now()`; nil for the system clock.
    ///   - pageSize: The number of rows of a page.
    ///   - sortBytes: The memory that a sort may take, or what `$apply` keeps of the rows, in bytes: of rows that
    ///     `aggregate` or a `groupby` with nothing else in it follows, only the groups.
    /// - Throws: `syntax`, `unsupported`, `invalidLiteral`, `unknownProperty`, `typeMismatch` or `limitExceeded`, with
    ///   a byte offset in the query where there is one; `invalidPageSize` for a page size less than 1.
    public init(
        _ query: String, version: ODataVersion = .v4, model: EdmModel? = nil, entityType: String? = nil,
        limits: Limits = .default, now: EdmDateTimeOffset? = nil, pageSize: Int = 200, sortBytes: Int = 64 << 20
    ) throws(Fault) {
        guard pageSize > 0 else {
            throw Fault(.invalidPageSize, "the page size must be at least 1")
        }
        func parsed() throws(Fault) -> RowQuery {
            try RowQuery(query, version: version, model: model, entityType: entityType, now: now, limits: limits)
        }
        self.pageSize = pageSize
        self.sortBytes = sortBytes
        try LoadQuery.checkStart(of: query)
        if model == nil, entityType == nil, now == nil {
            let known = try RecentQueries.shared.query(query, version: version, limits: limits, parse: parsed)
            self.query = known.query
            plans = known.plans
        } else {
            self.query = try parsed()
            plans = KeptPlans()
        }
        try checkApply()
        try checkLists()
    }

    /// The maximum number of members of a list after `in`.
    static let maximumListMembers = 10_000

    private func checkLists() throws(Fault) {
        guard let filter = query.options.filter else { return }
        for index in filter.nodes.indices where filter.nodes[index].kind == .list {
            guard filter.children(of: index).count <= Self.maximumListMembers else {
                throw query.located(
                    Fault(
                        .limitExceeded, "the list has more than \(Self.maximumListMembers) members",
                        offset: filter.nodes[index].range.lowerBound), in: .filter)
            }
        }
    }
}
