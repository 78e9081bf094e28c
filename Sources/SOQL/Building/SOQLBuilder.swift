public import Soups

/// Builds a SOQL query from its parts.
///
/// ```swift
/// let builder = SOQLBuilder(fields: ["Id", "Name"], from: "Account", where: "Rating > 3", limit: 10)
/// let text = try builder.text()  // select Id, Name from Account where Rating > 3 limit 10
/// ```
///
/// The parts are texts of the query language: values in them must be literals (`SOQLLiteral`). Empty ones are left out.
public struct SOQLBuilder: Sendable, Hashable {
    /// The selected fields; a single text may be a whole list.
    public var fields: [String]
    /// The object that is queried.
    public var from: String
    /// The condition on records.
    public var `where`: String
    /// What the query enforces, such as `SECURITY_ENFORCED`.
    public var with: String
    /// The fields to group by.
    public var groupBy: String
    /// The condition on groups.
    public var having: String
    /// The order of the records.
    public var orderBy: String
    /// The greatest number of records; no limit below 1.
    public var limit: Int
    /// The number of records to pass over; none below 1.
    public var offset: Int

    /// Creates a builder of these parts.
    public init(
        fields: [String] = [], from: String = "", where condition: String = "", with: String = "", groupBy: String = "",
        having: String = "", orderBy: String = "", limit: Int = 0, offset: Int = 0
    ) {
        self.fields = fields
        self.from = from
        self.where = condition
        self.with = with
        self.groupBy = groupBy
        self.having = having
        self.orderBy = orderBy
        self.limit = limit
        self.offset = offset
    }

    /// Returns the text of the query.
    ///
    /// Throws `invalidSOQL` if there is no field or no object, or a part has an open quote or parenthesis (the offset
    /// is one into that part); `limitExceeded` if the query would be longer than 1 MiB.
    public func text() throws(Fault) -> String {
        var parts = BuiltText()
        try parts.append("select ", BuiltText.list(fields, separator: ", "))
        guard !parts.isEmpty else {
            throw Fault(.invalidSOQL, "no field selected")
        }
        guard try !BuiltText.part(from).isEmpty else {
            throw Fault(.invalidSOQL, "no table specified")
        }
        try parts.append(" from ", from)
        try parts.append(" where ", self.where)
        try parts.append(" with ", with)
        try parts.append(" group by ", groupBy)
        try parts.append(" having ", having)
        try parts.append(" order by ", orderBy)
        parts.append(" limit ", limit)
        parts.append(" offset ", offset)
        return try parts.text()
    }
}
