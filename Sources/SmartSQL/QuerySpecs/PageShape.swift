public import Soups

/// The first page of all query specs that differ only in their keys and page sizes: its statements, and how keys become
/// their bindings.
///
/// A key may need other statements than the key of the spec that the shape was made from: text over a json1 path that
/// spells a number is looked for twice, and a pattern may begin with letters or not. Each of these is a shape of its
/// own.
///
/// A class, because a query that is run again and again must not copy all of it.
public final class PageShape: Sendable {
    /// What is bound for the keys of a spec.
    public enum Bindings: Sendable {
        /// The one value of the one statement, by far the most frequent: it needs no memory.
        case text(String)
        /// The values of all statements, one after another.
        case values([SQLValue])
    }

    /// The texts of the statements, which are run in turn until the page is full.
    public let statements: [String]
    /// How many bindings each statement has.
    public let bindingCounts: [Int]
    /// The text of the statement that counts the matches, if it has the bindings of the only statement of the page.
    public let count: String?
    private let spec: QuerySpec
    private let soup: RegisteredSoup
    private let filter: SoupFilter
    /// Whether a text key is bound as it is, to the one parameter of the one statement.
    private let bindsText: Bool

    /// Returns nil if the first page needs statements whose text depends on the number of matches.
    public init?(_ spec: QuerySpec, query: PageQuery, soup: RegisteredSoup) {
        guard spec.kind != .smart, !query.isPlannedByCount, !query.walksOrder,
            spec.kind != .match || query.filter.search != nil
        else {
            return nil
        }
        let page = query.firstPage.statements
        statements = page.map(\.sql)
        bindingCounts = page.map(\.bindings.count)
        let counting = query.count
        count = page.count == 1 && counting.bindings == page[0].bindings ? counting.sql : nil
        self.spec = spec
        self.soup = soup
        filter = query.filter
        bindsText = spec.kind == .exact && page.count == 1 && query.filter.column?.affinity == .text
        guard page.count == 1 || page.count == filter.intervals.count else { return nil }
    }

    /// Whether a spec on a soup of that name has this shape, as far as its paths tell.
    public func fits(_ other: QuerySpec, soup name: String) -> Bool {
        spec.kind == other.kind && spec.order == other.order && Self.same(soup.name, name)
            && (spec.beginKey == nil) == (other.beginKey == nil) && (spec.endKey == nil) == (other.endKey == nil)
            && Self.same(spec.indexPath, other.indexPath) && Self.same(spec.orderPath, other.orderPath)
            && Self.same(spec.selectPaths, other.selectPaths)
    }

    /// The bindings of the statements for the keys of a spec that fits; nil if its keys need other statements.
    ///
    /// - Throws: what `PageQuery.init` throws for a spec with such keys.
    public func bindings(_ other: QuerySpec) throws(Fault) -> Bindings? {
        try other.validate()
        if bindsText, case .string(let text)? = other.matchKey {
            return .text(text)
        }
        if filter.search != nil {
            return .values([.text(try SoupFilter.matchText(other, soup))])
        }
        guard let column = filter.column else {
            return .values([])
        }
        if spec.kind == .exact, column.affinity != .none, let key = other.matchKey {
            return .values([key.value(for: column.affinity)])
        }
        let asked = try SoupFilter(other, column: column, table: soup.tableName)
        guard asked.intervals.count == filter.intervals.count else { return nil }
        for (interval, known) in zip(asked.intervals, filter.intervals) where !interval.hasLayout(of: known) {
            return nil
        }
        var values: [SQLValue] = []
        // Statements of their own read the intervals in the order of the page.
        if statements.count > 1, spec.order == .descending {
            for interval in asked.intervals.reversed() {
                Self.append(interval, asked.residual, to: &values)
            }
        } else {
            for interval in asked.intervals {
                Self.append(interval, asked.residual, to: &values)
            }
        }
        return .values(values)
    }

    private static func append(_ interval: KeyInterval, _ residual: SQLFragment?, to values: inout [SQLValue]) {
        interval.append(to: &values)
        if let residual {
            values += residual.bindings
        }
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
