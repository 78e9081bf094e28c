public import Soups

/// Holds a statement and the values bound to its `?`, in their order.
///
/// The text depends on the soup and on the shape of the query only, never on keys: it is a good name for a prepared
/// statement.
public struct BoundStatement: Sendable, Hashable {
    public let sql: String
    public let bindings: [SQLValue]

    public init(sql: String, bindings: [SQLValue] = []) {
        self.sql = sql
        self.bindings = bindings
    }
}
