/// Describes a query on a soup: its condition, its order and its page size, or a Smart SQL text. Source: guide, Query
/// Specs.
///
/// ```swift
/// let newest = QuerySpec.all(orderPath: "_soupLastModifiedDate", order: .descending, pageSize: 20)
/// let adults = QuerySpec.range(path: "age", from: 18)
/// let names = QuerySpec.like(path: "name", likeKey: "A%", orderPath: "name", selectPaths: ["name", "age"])
/// let rows = try store.query(names, soup: "contacts").currentPage.rows
/// ```
///
/// Create specs with the factory methods, which take the arguments of each kind. Keys are compared with the index by
/// the rules of SQLite for the column's type; bounds are inclusive. A spec may be invalid; the store calls `validate()`
/// before it runs one.
public struct QuerySpec: Sendable, Hashable {
    /// The kinds of queries. `all` has no condition; `smart` has a Smart SQL text and no soup.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// All entries.
        case all
        /// Entries whose value at the path equals the key.
        case exact
        /// Entries whose value is between two keys, inclusive.
        case range
        /// Entries whose value matches a pattern.
        case like
        /// Entries that match a full-text expression.
        case match
        /// The rows of a Smart SQL text.
        case smart
    }

    /// The kind of the query; it decides which of the other properties are used.
    public var kind: Kind
    /// The path of the condition. For `match`, nil means all full-text paths.
    public var indexPath: String?
    /// The key of an `exact` query or the match expression of a `match` query.
    public var matchKey: Key?
    /// The lower bound of a `range` query; `nil` to begin with the smallest value.
    public var beginKey: Key?
    /// The upper bound of a `range` query; `nil` to end with the greatest value.
    public var endKey: Key?
    /// The pattern of a `like` query: `%` is any text, `_` is one character.
    public var likeKey: Key?
    /// The text of a `smart` query.
    public var smartSql: String?
    /// The path by which results are sorted; nil sorts by entry id.
    public var orderPath: String?
    /// The sort order.
    public var order: SortOrder
    /// The number of entries on a page, at least 1.
    public var pageSize: Int
    /// If set, the query returns rows of the values at these paths instead of entries. A path may occur twice.
    public var selectPaths: [String]?

    /// The number of entries on a page if none is given: 10.
    public static let defaultPageSize = 10

    /// Creates a spec of any kind. The factory methods, such as
    /// ``exact(path:matchKey:orderPath:order:pageSize:selectPaths:)``, take only what their kind needs.
    public init(
        kind: Kind, indexPath: String? = nil, matchKey: Key? = nil, beginKey: Key? = nil, endKey: Key? = nil,
        likeKey: Key? = nil,
        smartSql: String? = nil, orderPath: String? = nil, order: SortOrder = .ascending,
        pageSize: Int = QuerySpec.defaultPageSize,
        selectPaths: [String]? = nil
    ) {
        self.kind = kind
        self.indexPath = indexPath
        self.matchKey = matchKey
        self.beginKey = beginKey
        self.endKey = endKey
        self.likeKey = likeKey
        self.smartSql = smartSql
        self.orderPath = orderPath
        self.order = order
        self.pageSize = pageSize
        self.selectPaths = selectPaths
    }

    /// A key as given by the caller. It is bound with its own type.
    public enum Key: Sendable, Hashable {
        /// Text, compared with the index as text.
        case string(String)
        /// An integer of 64 bits.
        case integer(Int64)
        /// A number as JSON writes it, such as `2.50`, `1e3` or a whole one beyond 64 bits: a string or full-text index
        /// compares this text, any other the number.
        case number(String)
        /// A floating-point number; NaN is refused.
        case floating(Double)
        /// A boolean: 1 or 0 in a numeric index, `true` or `false` in a string index.
        case boolean(Bool)
    }
}

extension QuerySpec.Key: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral
{
    public init(stringLiteral value: String) { self = .string(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
    public init(floatLiteral value: Double) { self = .floating(value) }
    public init(booleanLiteral value: Bool) { self = .boolean(value) }
}

// MARK: - Factories
extension QuerySpec {
    /// Makes a query for all entries.
    public static func all(
        orderPath: String? = nil, order: SortOrder = .ascending, pageSize: Int = defaultPageSize,
        selectPaths: [String]? = nil
    ) -> QuerySpec {
        QuerySpec(kind: .all, orderPath: orderPath, order: order, pageSize: pageSize, selectPaths: selectPaths)
    }

    /// Makes a query for the entries whose value at the path equals the key.
    public static func exact(
        path: String, matchKey: Key, orderPath: String? = nil, order: SortOrder = .ascending,
        pageSize: Int = defaultPageSize, selectPaths: [String]? = nil
    ) -> QuerySpec {
        QuerySpec(
            kind: .exact, indexPath: path, matchKey: matchKey, orderPath: orderPath, order: order, pageSize: pageSize,
            selectPaths: selectPaths)
    }

    /// Makes a query for the entries whose value is between the keys, inclusive. A missing key means no bound on that
    /// side.
    public static func range(
        path: String, from beginKey: Key? = nil, through endKey: Key? = nil, orderPath: String? = nil,
        order: SortOrder = .ascending,
        pageSize: Int = defaultPageSize, selectPaths: [String]? = nil
    ) -> QuerySpec {
        QuerySpec(
            kind: .range, indexPath: path, beginKey: beginKey, endKey: endKey, orderPath: orderPath, order: order,
            pageSize: pageSize,
            selectPaths: selectPaths)
    }

    /// Makes a query for the entries whose value matches the pattern: `%` is any text, `_` is one character, and ASCII
    /// letters are case-insensitive.
    public static func like(
        path: String, likeKey: String, orderPath: String? = nil, order: SortOrder = .ascending,
        pageSize: Int = defaultPageSize, selectPaths: [String]? = nil
    ) -> QuerySpec {
        QuerySpec(
            kind: .like, indexPath: path, likeKey: .string(likeKey), orderPath: orderPath, order: order,
            pageSize: pageSize, selectPaths: selectPaths)
    }

    /// Makes a query for the entries that match a full-text expression at a path, or at any full-text path if the path
    /// is nil.
    public static func match(
        path: String? = nil, matchKey: String, orderPath: String? = nil, order: SortOrder = .ascending,
        pageSize: Int = defaultPageSize,
        selectPaths: [String]? = nil
    ) -> QuerySpec {
        QuerySpec(
            kind: .match, indexPath: path, matchKey: .string(matchKey), orderPath: orderPath, order: order,
            pageSize: pageSize, selectPaths: selectPaths)
    }

    /// Makes a Smart SQL query: one SELECT with `{soup}` for tables and `{soup:path}` for columns.
    public static func smart(_ smartSql: String, pageSize: Int = defaultPageSize) -> QuerySpec {
        QuerySpec(kind: .smart, smartSql: smartSql, pageSize: pageSize)
    }
}
