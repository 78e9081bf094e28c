public import Soups

/// The first page of all query specs that differ only in their keys and page sizes: its statement, and how keys become
/// its bindings.
///
/// Only for pages of one statement. A key may need another statement than the key of the spec that the shape was made
/// from: text over a json1 path that spells a number is looked for twice.
public struct PageShape: Sendable {
    /// The text of the statement.
    public let sql: String
    private let spec: QuerySpec
    private let soup: RegisteredSoup
    private let column: SoupColumn?
    private let intervals: [KeyInterval]

    /// Returns nil if the first page needs several statements, or one whose text depends on the key or on the number of
    /// matches.
    public init?(_ spec: QuerySpec, query: PageQuery, soup: RegisteredSoup) {
        // SQLite prepares a statement again for each value that LIKE compares with.
        guard spec.kind != .like, spec.kind != .smart, !query.isPlannedByCount,
            spec.kind != .match || query.filter.search != nil
        else { return nil }
        let statements = query.firstPage.statements
        guard statements.count == 1 else { return nil }
        sql = statements[0].sql
        self.spec = spec
        self.soup = soup
        column = query.filter.column
        intervals = query.filter.intervals
    }

    /// Whether a spec on a soup of that name has this shape, as far as its paths tell.
    public func fits(_ other: QuerySpec, soup name: String) -> Bool {
        spec.kind == other.kind && spec.order == other.order && Self.same(soup.name, name)
            && (spec.beginKey == nil) == (other.beginKey == nil) && (spec.endKey == nil) == (other.endKey == nil)
            && Self.same(spec.indexPath, other.indexPath) && Self.same(spec.orderPath, other.orderPath)
            && Self.same(spec.selectPaths, other.selectPaths)
    }

    /// The bindings for the keys of a spec that fits; nil if its keys need another statement.
    ///
    /// - Throws: what `PageQuery.init` throws for a spec with such keys.
    public func bindings(_ other: QuerySpec) throws(Fault) -> [SQLValue]? {
        try other.validate()
        guard let column else {
            return try SoupFilter(other, soup: soup, permissive: false).residual?.bindings ?? []
        }
        let intervals = try SoupFilter.intervals(other, column)
        guard intervals.count == self.intervals.count else { return nil }
        var values: [SQLValue] = []
        for (interval, known) in zip(intervals, self.intervals) {
            guard interval.hasLayout(of: known) else { return nil }
            interval.append(to: &values)
        }
        return values
    }

    private static func same(_ a: String?, _ b: String?) -> Bool {
        guard let a, let b else {
            return a == nil && b == nil
        }
        return ByteKey(a) == ByteKey(b)
    }

    private static func same(_ a: [String]?, _ b: [String]?) -> Bool {
        guard let a, let b else {
            return a == nil && b == nil
        }
        return a.count == b.count && zip(a, b).allSatisfy { same($0, $1) }
    }
}
