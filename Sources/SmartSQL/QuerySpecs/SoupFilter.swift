import Soups

/// The condition of a query spec: disjoint intervals of one column in ascending order, and further conditions.
struct SoupFilter: Sendable {
    /// The column of the condition; nil if there is none (`all`, `match`).
    var column: SoupColumn?
    /// The intervals of the column's values; everything if there is no such condition.
    var intervals: [KeyInterval] = [.everything]
    /// A condition that intervals cannot express: LIKE or MATCH.
    var residual: SQLFragment?
    /// The search that `residual` is about; nil if there is none, or if it needs several (FTS4).
    private(set) var search: FullTextSearch?
    private let table: String

    init(_ spec: QuerySpec, soup: RegisteredSoup, permissive: Bool) throws(Fault) {
        table = soup.tableName
        switch spec.kind {
        case .smart: break
        case .all:
            // The path is for the order only, and must have an index also where it orders nothing.
            if let path = spec.indexPath {
                _ = try SoupColumn(path: path, in: soup, permissive: permissive)
            }
        case .match: try setMatch(spec, soup)
        case .exact, .range, .like:
            guard let path = spec.indexPath else {
                throw Fault(.invalidQuerySpec, "indexPath is missing")
            }
            try set(spec, SoupColumn(path: path, in: soup, permissive: permissive))
        }
    }

    /// The condition of a query of kind `exact`, `range` or `like` whose column is known already.
    init(_ spec: QuerySpec, column: SoupColumn, table: String) throws(Fault) {
        self.table = table
        try set(spec, column)
    }

    private mutating func set(_ spec: QuerySpec, _ column: SoupColumn) throws(Fault) {
        self.column = column
        intervals = try Self.intervals(spec, column)
        if spec.kind == .like {
            try setLike(spec.likeKey, column)
        }
    }

    /// The whole condition, for a statement that is not ordered by the column.
    var condition: SQLFragment? {
        guard intervals.count > 1 else {
            return disjointConditions[0]
        }
        // With many intervals joined by OR, the query planner would scan the whole table. In a list of ids each
        // interval is a separate index search.
        let ids = SQLFragment.joined(
            disjointConditions.compactMap { $0 }, by: " UNION ALL SELECT id FROM \(table) WHERE ")
        return SQLFragment(text: "id IN (SELECT id FROM \(table) WHERE \(ids.text))", bindings: ids.bindings)
    }

    /// One condition for each interval. Each uses a range of the index, and no row matches two of them. Nil means no
    /// condition.
    var disjointConditions: [SQLFragment?] {
        guard let column else {
            return [residual]
        }
        return intervals.map { interval in
            let parts = interval.conditions(column.expression) + [residual].compactMap { $0 }
            return parts.isEmpty ? nil : .joined(parts, by: " AND ")
        }
    }

    // MARK: - Kinds

    /// The intervals of a query of kind `exact` or `range`; everything for any other.
    private static func intervals(_ spec: QuerySpec, _ column: SoupColumn) throws(Fault) -> [KeyInterval] {
        switch spec.kind {
        case .exact: try points(spec.matchKey, column)
        case .range: range(spec.beginKey, spec.endKey, column)
        default: [.everything]
        }
    }

    private static func points(_ key: QuerySpec.Key?, _ column: SoupColumn) throws(Fault) -> [KeyInterval] {
        guard let key else {
            throw Fault(.invalidQuerySpec, "matchKey is missing")
        }
        let point = KeyInterval.point(key.value(for: column.affinity))
        if column.affinity == .none, let number = key.spelledNumber {
            return [.point(number), point]
        }
        return [point]
    }

    private static func range(_ begin: QuerySpec.Key?, _ end: QuerySpec.Key?, _ column: SoupColumn) -> [KeyInterval] {
        let whole = KeyInterval(lower: begin?.value(for: column.affinity), upper: end?.value(for: column.affinity))
        guard column.affinity == .none else {
            return [whole]
        }
        // For json1, a bound that is a number as text bounds numbers by value and text as text. This gives two
        // intervals, numbers first.
        let beginNumber = begin?.spelledNumber
        let endNumber = end?.spelledNumber
        guard beginNumber != nil || endNumber != nil else {
            return [whole]
        }
        var intervals: [KeyInterval] = []
        if beginNumber != nil || !isText(begin) {
            // The empty text is the smallest text and greater than every number.
            let open = end == nil || isText(end)
            let upper = endNumber ?? (open ? .text([]) : end?.value(for: .none))
            intervals.append(
                KeyInterval(lower: beginNumber ?? whole.lower, upper: upper, excludesUpper: endNumber == nil && open))
        }
        if end == nil || isText(end) {
            intervals.append(KeyInterval(lower: isText(begin) ? whole.lower : .text([]), upper: whole.upper))
        }
        return intervals
    }

    private static func isText(_ key: QuerySpec.Key?) -> Bool {
        if case .string? = key {
            true
        } else {
            false
        }
    }

    private mutating func setLike(_ key: QuerySpec.Key?, _ column: SoupColumn) throws(Fault) {
        guard let key, case .text(let pattern) = key.value(for: .text) else {
            throw Fault(.invalidQuerySpec, "likeKey is missing")
        }
        // SQLite's limit. It is checked here so that the fault mentions the key instead of a statement.
        guard pattern.count <= 50_000 else {
            throw Fault(.invalidQuerySpec, "likeKey is longer than 50,000 bytes")
        }
        // For a plain `?` SQLite would look at the pattern when it plans, and plan again for each other pattern, to no
        // use: no index has the collation that LIKE needs. The sign hides it.
        // SQLite's LIKE ends a pattern at U+0000, which no indexed value contains: NULL finds nothing.
        let bound: SQLValue = pattern.contains(0) ? .null : .text(pattern)
        residual = SQLFragment(text: "\(column.expression) LIKE +?", bindings: [bound])
        // LIKE compares numbers as text, but in the index of an expression they are sorted as numbers. So the prefix
        // must be one that no number can have.
        let findsTextOnly = column.affinity == .text || (column.affinity == .none && !LikePrefix.mayBeNumber(pattern))
        if column.isIndexed, findsTextOnly, let prefixes = LikePrefix.intervals(of: pattern) {
            intervals = prefixes
        }
    }

    /// The expression of a match query as FTS5 reads it.
    ///
    /// - Throws: what `PageQuery.init` throws for the key.
    static func matchText(_ spec: QuerySpec, _ soup: RegisteredSoup) throws(Fault) -> [UInt8] {
        let expression = try matchExpression(spec)
        return try MatchCondition(soup: soup, path: spec.indexPath).search(expression).text
    }

    /// The expression of a match query.
    ///
    /// - Throws: as `matchText`.
    static func matchExpression(_ spec: QuerySpec) throws(Fault) -> MatchExpression {
        guard let key = spec.matchKey, case .text(let text) = key.value(for: .text) else {
            throw Fault(.invalidQuerySpec, "matchKey is missing")
        }
        return try MatchExpression(String(decoding: text, as: UTF8.self))
    }

    private mutating func setMatch(_ spec: QuerySpec, _ soup: RegisteredSoup) throws(Fault) {
        let expression = try Self.matchExpression(spec)
        let condition = try MatchCondition(soup: soup, path: spec.indexPath)
        guard soup.fullTextVersion != .fts4 else {
            residual = try condition.fragment(expression)
            return
        }
        search = try condition.search(expression)
        residual = search?.membership
    }
}
