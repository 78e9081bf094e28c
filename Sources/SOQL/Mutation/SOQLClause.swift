/// A clause of a query, in the order in which a query has them.
public enum SOQLClause: Int, Sendable, Hashable, CaseIterable, Comparable {
    /// The selected fields, functions and sub-queries.
    case select
    /// The object that is queried.
    case from
    /// The scope, such as `mine`.
    case usingScope
    /// The condition on records.
    case `where`
    /// Data categories, or what the query enforces, such as `SECURITY_ENFORCED`.
    case with
    /// The fields to group by.
    case groupBy
    /// The condition on groups.
    case having
    /// The order of the records.
    case orderBy
    /// The greatest number of records, a number or a variable.
    case limit
    /// The number of records to pass over, a number or a variable.
    case offset
    /// What the query is for: `view`, `reference` or `update`.
    case `for`
    /// What the query updates: `tracking` or `viewstat`.
    case update
    /// The word `rows`: deleted records too.
    case all

    /// The keyword of the clause, as it is printed.
    public var keyword: String {
        switch self {
        case .select: "select"
        case .from: "from"
        case .usingScope: "using scope"
        case .where: "where"
        case .with: "with"
        case .groupBy: "group by"
        case .having: "having"
        case .orderBy: "order by"
        case .limit: "limit"
        case .offset: "offset"
        case .for: "for"
        case .update: "update"
        case .all: "all"
        }
    }

    public static func < (a: SOQLClause, b: SOQLClause) -> Bool { a.rawValue < b.rawValue }
}
