public import Soups

/// Turns a query spec on one soup into the statements that answer it: pages, count and ids, with bound keys and ties
/// broken by entry id.
///
/// A page is read by one or more statements, run in turn until it is full; each is answered along one index where there
/// is one. Pages continue from the position of the last (or first) entry shown, so that the cost of a page does not
/// depend on how many came before. Every statement that reads a page has one more parameter than `bindings`, its last:
/// the number of rows still wanted. Rows have the entry's id in column 0, the order key in column 1, and from column 2
/// on what `columns` says.
///
/// A value; copies share the texts written so far. Making one costs a look at each path. Source: guide, Retrieving Data
/// from a Soup; BUG-02 to BUG-05.
public struct PageQuery: Sendable {
    /// Says what a column of a row holds, from the row's column 2 on.
    public enum Column: Sendable, Hashable {
        /// The whole entry, as JSON text.
        case entry
        /// NULL in the row: the entry's text lies in a file of its own, named by the id.
        case externalEntry
        /// The value at a selected path, with its own type.
        case value
    }

    /// Names the place of an entry in the order of the query: the order key and the id as its row gave them.
    public struct Position: Sendable, Hashable {
        public let key: SQLValue
        public let id: Int64

        public init(key: SQLValue, id: Int64) {
            self.key = key
            self.id = id
        }
    }

    /// Holds the statements of one page, to be run in turn until enough rows have come.
    public struct Page: Sendable, Hashable {
        public let statements: [BoundStatement]
        /// The rows come last first: turn the finished page around.
        public let isReversed: Bool
    }

    public let columns: [Column]
    /// Without selectPaths a row is one entry; with them it is a row of values.
    public let returnsEntries: Bool
    /// The first page, as `page(after:)` with no position.
    public var firstPage: Page { page(after: nil) }

    let table: String
    let selected: String
    let filter: SoupFilter
    let orderColumn: SoupColumn
    let order: SortOrder
    let knownSteps = WalkSteps()

    /// Resolves the paths of a query spec of any kind but smart.
    ///
    /// - Parameter permissive: Lets paths without an index be searched through `json_extract`, at the cost of reading
    ///   every entry.
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

        var columns: [Column] = []
        var selected: [String] = []
        for path in spec.selectPaths ?? ["_soup"] {
            if ByteKey(path) == SoupColumn.entryPath {
                columns.append(soup.storesExternally ? .externalEntry : .entry)
                selected.append(soup.storesExternally ? "NULL" : "soup")
            } else {
                columns.append(.value)
                selected.append(try SoupColumn(path: path, in: soup, permissive: permissive).expression)
            }
        }
        self.columns = columns
        self.selected = selected.joined(separator: ", ")
        returnsEntries = spec.selectPaths == nil
    }

    // MARK: - Whole results

    /// Counts the matches: one row, one integer.
    public var count: BoundStatement {
        let parts = filter.disjointConditions
        guard parts.count > 1 else {
            return statement("SELECT count(*) FROM \(table)", parts[0])
        }
        let counts = SQLFragment.joined(
            parts.map { selection("SELECT count(*) AS n FROM \(table)", $0) }, by: " UNION ALL ")
        return BoundStatement(sql: "SELECT sum(n) FROM (\(counts.text))", bindings: counts.bindings)
    }

    /// Gives the ids of all matches, in no particular order, none twice.
    public var ids: BoundStatement {
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
