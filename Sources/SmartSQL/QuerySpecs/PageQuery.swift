public import Soups

/// Converts a query spec on one soup to statements for pages, count and ids, with bound keys. Entries with equal values
/// are ordered by id.
///
/// A page is read by one or more statements, which are run in turn until the page is full; each uses one index if there
/// is one. A page continues from the position of the last (or first) entry of another page, so that its cost does not
/// depend on how many pages come before it. Each statement of a page has one more parameter than `bindings`, the last
/// one: the number of rows that are still needed. Rows have the entry's id in column 0, the order key in column 1, and
/// the values described by `columns` from column 2 on.
///
/// Copies share the statement texts. Creating a page query looks up each path once. Source: guide, Retrieving Data from
/// a Soup.
public struct PageQuery: Sendable {
    /// The content of a column, from column 2 of a row on.
    public enum Column: Sendable, Hashable {
        /// The whole entry, as JSON text.
        case entry
        /// The column is NULL; the entry is in a separate file, which is named by the id.
        case externalEntry
        /// The value at a selected path, with its own type.
        case value
    }

    /// The position of an entry in the order of the query: the order key and the id from its row.
    public struct Position: Sendable, Hashable {
        public let key: SQLValue
        public let id: Int64

        public init(key: SQLValue, id: Int64) {
            self.key = key
            self.id = id
        }
    }

    /// The statements of one page. Run them in turn until there are enough rows.
    public struct Page: Sendable, Hashable {
        public let statements: [BoundStatement]
        /// Whether the rows are in reverse order, so that the finished page must be reversed.
        public let isReversed: Bool
    }

    public let columns: [Column]
    /// Whether a row is an entry. With `selectPaths` it is a row of values.
    public let returnsEntries: Bool
    /// The first page, the same as `page(after: nil)`.
    public var firstPage: Page { page(after: nil) }

    let table: String
    let selected: String
    let filter: SoupFilter
    let orderColumn: SoupColumn
    let order: SortOrder
    /// How pages of a match query are read; nil for other queries, and for full-text tables of FTS4.
    private(set) var matchPlan: MatchPlan?
    private(set) var knownSteps = WalkSteps()

    /// Resolves the paths of a query spec of any kind but smart.
    ///
    /// - Parameter permissive: Whether paths without an index may be searched with `json_extract`, which reads every
    ///   entry.
    /// - Throws: what `QuerySpec.validate()` throws; `pathNotIndexed`; `invalidMatchExpression` with the offset into
    ///   the match key; `invalidQuerySpec` for a smart spec.
    public init(_ spec: QuerySpec, soup: RegisteredSoup, permissive: Bool = false) throws(Fault) {
        try spec.validate()
        guard spec.kind != .smart else {
            throw Fault(.invalidQuerySpec, "a smart query has no soup; run its Smart SQL instead")
        }
        filter = try SoupFilter(spec, soup: soup, permissive: permissive)
        if let path = spec.orderPath {
            orderColumn = try SoupColumn(path: path, in: soup, permissive: permissive)
        } else {
            orderColumn = .id
        }
        order = spec.order
        table = soup.tableName
        if filter.search != nil {
            matchPlan = orderColumn.isId ? .walkFullText : .sortKeys
        }

        let selection = try SelectedColumns(spec.selectPaths ?? ["_soup"], in: soup, permissive: permissive)
        columns = selection.columns
        selected = selection.expressions.joined(separator: ", ")
        returnsEntries = spec.selectPaths == nil
    }

    // MARK: - Plans of match queries

    /// Whether the best statements for a page depend on how many entries match: `planned(matches:entries:)` then
    /// chooses them.
    public var isPlannedByCount: Bool { matchPlan == .sortKeys && orderColumn.isIndexed }

    /// The statement for the number of entries of the soup, at most: one row with one integer, without a scan.
    public var entriesAtMost: BoundStatement {
        BoundStatement(
            sql: "SELECT coalesce((SELECT max(id) FROM \(table)) - (SELECT min(id) FROM \(table)) + 1, 0)")
    }

    /// The same query with the statements for a number of matches among a number of entries. Its rows are the same.
    public func planned(matches: Int64, entries: Int64) -> PageQuery {
        var query = self
        query.matchPlan = .ordered(matches: matches, entries: entries)
        query.knownSteps = WalkSteps()
        return query
    }

    /// Whether pages are read along the index of the order path, past entries that do not match.
    public var walksOrder: Bool { matchPlan == .walkOrder }

    // MARK: - Whole results

    /// The statement that counts the matches: one row with one integer.
    public var count: BoundStatement {
        if let search = filter.search {
            return search.reading("count(*)")
        }
        let parts = filter.disjointConditions
        guard parts.count > 1 else {
            return statement("SELECT count(*) FROM \(table)", parts[0])
        }
        let counts = SQLFragment.joined(
            parts.map { selection("SELECT count(*) AS n FROM \(table)", $0) }, by: " UNION ALL ")
        return BoundStatement(sql: "SELECT sum(n) FROM (\(counts.text))", bindings: counts.bindings)
    }

    /// The statement that returns the ids of all matches, in any order and without duplicates.
    public var ids: BoundStatement {
        if let search = filter.search {
            return search.reading("rowid")
        }
        let parts = SQLFragment.joined(
            filter.disjointConditions.map { selection("SELECT id FROM \(table)", $0) }, by: " UNION ALL ")
        return BoundStatement(sql: parts.text, bindings: parts.bindings)
    }

    private func statement(_ head: String, _ condition: SQLFragment?) -> BoundStatement {
        let whole = selection(head, condition)
        return BoundStatement(sql: whole.text, bindings: whole.bindings)
    }

    private func selection(_ head: String, _ condition: SQLFragment?) -> SQLFragment {
        guard let condition else {
            return SQLFragment(text: head)
        }
        return SQLFragment(text: "\(head) WHERE \(condition.text)", bindings: condition.bindings)
    }
}
