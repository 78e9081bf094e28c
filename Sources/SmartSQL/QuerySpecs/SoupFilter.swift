import Soups

/// Holds the condition of a query spec: intervals of one column, in ascending order and apart from each other, and what
/// must hold besides.
struct SoupFilter: Sendable {
    /// The column of the condition; nil where there is none (all, match).
    var column: SoupColumn?
    /// Everything, where there is no condition on the column's values alone.
    var intervals: [KeyInterval] = [.everything]
    /// LIKE and MATCH: what no interval says.
    var residual: SQLFragment?
    private let table: String

    init(_ spec: QuerySpec, soup: RegisteredSoup, permissive: Bool) throws(Fault) {
        table = soup.tableName
        switch spec.kind {
        case .all, .smart: break
        case .match: residual = try Self.match(spec, soup: soup)
        case .exact, .range, .like:
            guard let path = spec.indexPath else {
                throw Fault(.invalidQuerySpec, "indexPath is missing")
            }
            let column = try SoupColumn(path: path, in: soup, permissive: permissive)
            self.column = column
            switch spec.kind {
            case .exact: intervals = try Self.points(spec.matchKey, column)
            case .range: intervals = Self.range(spec.beginKey, spec.endKey, column)
            default: try setLike(spec.likeKey, column)
            }
        }
    }

    /// The whole condition, for a statement that does not run along the column.
    var condition: SQLFragment? {
        guard intervals.count > 1 else {
            return disjointConditions[0]
        }
        // Joined by OR, more than a few intervals would look to the planner like the whole table; as a list of ids each
        // is a search of its own.
        let ids = SQLFragment.joined(
            disjointConditions.compactMap { $0 }, by: " UNION ALL SELECT id FROM \(table) WHERE ")
        return SQLFragment(text: "id IN (SELECT id FROM \(table) WHERE \(ids.text))", bindings: ids.bindings)
    }

    /// One condition for each interval: each is answered by a range of the index, and no row fulfils two. Nil where
    /// there is no condition.
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
        // Over json1 a bound that spells a number bounds the numbers by value and the text as text: two intervals,
        // numbers first.
        let beginNumber = begin?.spelledNumber
        let endNumber = end?.spelledNumber
        guard beginNumber != nil || endNumber != nil else {
            return [whole]
        }
        var intervals: [KeyInterval] = []
        if beginNumber != nil || !isText(begin) {
            // The empty text is the least of all text, and above every number.
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
        // SQLite's own limit; refused here so that the fault names the key and not a statement.
        guard pattern.count <= 50_000 else {
            throw Fault(.invalidQuerySpec, "likeKey is longer than 50,000 bytes")
        }
        residual = SQLFragment(text: "\(column.expression) LIKE ?", bindings: [.text(pattern)])
        // LIKE takes numbers as their text, which lie elsewhere in the index of an expression: there the prefix must be
        // one that no number has.
        let findsTextOnly = column.affinity == .text || (column.affinity == .none && !LikePrefix.mayBeNumber(pattern))
        if column.isIndexed, findsTextOnly, let prefixes = LikePrefix.intervals(of: pattern) {
            intervals = prefixes
        }
    }

    private static func match(_ spec: QuerySpec, soup: RegisteredSoup) throws(Fault) -> SQLFragment {
        guard let key = spec.matchKey, case .text(let text) = key.value(for: .text) else {
            throw Fault(.invalidQuerySpec, "matchKey is missing")
        }
        let expression = try MatchExpression(String(decoding: text, as: UTF8.self))
        return try MatchCondition(soup: soup, path: spec.indexPath).fragment(expression)
    }
}
