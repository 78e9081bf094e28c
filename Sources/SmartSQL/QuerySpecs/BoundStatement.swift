public import Soups

/// A statement and the values that are bound to its `?`, in order.
///
/// The text depends only on the soup and the form of the query, never on keys, so it can identify a prepared statement.
public struct BoundStatement: Sendable, Hashable {
    public let sql: String
    public let bindings: [SQLValue]

    public init(sql: String, bindings: [SQLValue] = []) {
        self.sql = sql
        self.bindings = bindings
    }
}
