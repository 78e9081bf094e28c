/// Says declaratively what to look for in a soup, in what order, and how many entries make a page. Source: guide, Query
/// Specs; smart for Smart SQL.
///
/// Use the factories: each takes what belongs to its kind. Keys are compared with the index as SQLite compares the
/// column's type; bounds are inclusive. A value of this type may still be malformed (it can be read from JSON):
/// `validate()` is called by whoever runs it.
public struct QuerySpec: Sendable, Hashable {
    /// Names the six kinds. `all` has no condition, `smart` has a text of its own and no soup.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case all, exact, range, like, match, smart
    }

    public var kind: Kind
    /// The path of the condition; for match nil means all full-text paths.
    public var indexPath: String?
    /// exact: the key to be equal to. match: the match expression.
    public var matchKey: Key?
    public var beginKey: Key?
    public var endKey: Key?
    public var likeKey: Key?
    public var smartSql: String?
    public var orderPath: String?
    public var order: SortOrder
    /// Entries a page, 1 or more.
    public var pageSize: Int
    /// Where set, rows of these paths come back instead of entries. A path may stand there twice.
    public var selectPaths: [String]?

    public static let defaultPageSize = 10

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

    /// Holds a key as the caller gave it; it is bound with its own type.
    public enum Key: Sendable, Hashable {
        case string(String)
        case integer(Int64)
        case floating(Double)
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
    /// Asks for every entry.
    public static func all(
        orderPath: String? = nil, order: SortOrder = .ascending, pageSize: Int = defaultPageSize,
        selectPaths: [String]? = nil
    ) -> QuerySpec {
        QuerySpec(kind: .all, orderPath: orderPath, order: order, pageSize: pageSize, selectPaths: selectPaths)
    }

    /// Asks for the entries whose value at the path equals the key.
    public static func exact(
        path: String, matchKey: Key, orderPath: String? = nil, order: SortOrder = .ascending,
        pageSize: Int = defaultPageSize, selectPaths: [String]? = nil
    ) -> QuerySpec {
        QuerySpec(
            kind: .exact, indexPath: path, matchKey: matchKey, orderPath: orderPath, order: order, pageSize: pageSize,
            selectPaths: selectPaths)
    }

    /// Asks for the entries whose value lies between the keys, both included; a missing key leaves that side open.
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

    /// Asks for the entries whose value fits the pattern: `%` any text, `_` one character, ASCII letters in either
    /// case.
    public static func like(
        path: String, likeKey: String, orderPath: String? = nil, order: SortOrder = .ascending,
        pageSize: Int = defaultPageSize, selectPaths: [String]? = nil
    ) -> QuerySpec {
        QuerySpec(
            kind: .like, indexPath: path, likeKey: .string(likeKey), orderPath: orderPath, order: order,
            pageSize: pageSize, selectPaths: selectPaths)
    }

    /// Asks for the entries that a full-text expression finds at a path, or at all full-text paths where it is nil.
    public static func match(
        path: String? = nil, matchKey: String, orderPath: String? = nil, order: SortOrder = .ascending,
        pageSize: Int = defaultPageSize,
        selectPaths: [String]? = nil
    ) -> QuerySpec {
        QuerySpec(
            kind: .match, indexPath: path, matchKey: .string(matchKey), orderPath: orderPath, order: order,
            pageSize: pageSize, selectPaths: selectPaths)
    }

    /// Asks in Smart SQL: one SELECT with `{soup}` for tables and `{soup:path}` for columns.
    public static func smart(_ smartSql: String, pageSize: Int = defaultPageSize) -> QuerySpec {
        QuerySpec(kind: .smart, smartSql: smartSql, pageSize: pageSize)
    }
}
