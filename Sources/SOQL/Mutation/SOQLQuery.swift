public import Soups

/// A SOQL query as its clauses: what an engine needs to complete a query that another program wrote.
///
/// ```swift
/// let query = try SOQLQuery("SELECT Name FROM Account WHERE Industry = 'Tea' OR Rating > 3 LIMIT 100")
/// let completed = try query.addingSelect("Id").addingWhere("LastModifiedDate > 2026-05-04T00:00:00Z")
///     .replacingOrderBy(with: "LastModifiedDate")
/// let text = completed.text
/// // select Id,Name from Account where LastModifiedDate > 2026-05-04T00:00:00Z and (Industry = 'Tea' OR Rating > 3)
/// // order by LastModifiedDate limit 100
/// ```
///
/// Only the top level is read: what is in quotes and parentheses is kept byte for byte, and its words are never
/// keywords. So a query is not checked as the service does it. Every call takes time linear in the length of the query.
public struct SOQLQuery: Sendable {
    var clauses: SOQLClauses

    /// Reads a query.
    ///
    /// Throws `invalidSOQL` with the byte offset of an open quote or parenthesis, of 0 if the query does not begin with
    /// `select`, of its end if it has no `from`; `limitExceeded` if it is longer than 1 MiB.
    public init(_ text: String) throws(Fault) { clauses = try SOQLClauses(of: SOQLText(text)) }

    init(_ clauses: SOQLClauses) throws(Fault) {
        self.clauses = clauses
        try SOQLText.check(length: clauses.printedLength)
    }

    /// The text of the query: keywords in lower case, one blank around the text of each clause, empty clauses left out.
    public var text: String { clauses.printed }

    /// Returns the text of a clause without blanks around it; nil if the query does not have the clause.
    public subscript(clause: SOQLClause) -> String? { clauses[clause]?.text }
}

extension SOQLQuery: Hashable {
    /// Two queries are equal if their texts have the same bytes.
    public static func == (a: SOQLQuery, b: SOQLQuery) -> Bool { ByteKey(a.text) == ByteKey(b.text) }

    public func hash(into hasher: inout Hasher) { ByteKey(text).hash(into: &hasher) }
}

extension SOQLQuery: CustomStringConvertible {
    public var description: String { text }
}
