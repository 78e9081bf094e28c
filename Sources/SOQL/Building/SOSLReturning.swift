import Soups

/// What a search returns of one object.
public struct SOSLReturning: Sendable, Hashable {
    /// The name of the object.
    public var objectName: String
    /// The returned fields; a single text may be a whole list. Without fields only the name of the object is written,
    /// and the parts below are not used.
    public var fields: [String]
    /// The condition on records.
    public var `where`: String
    /// The order of the records.
    public var orderBy: String
    /// The id of the network to search.
    public var withNetwork: String
    /// The greatest number of records; no limit below 1.
    public var limit: Int

    /// Creates a spec for one object.
    public init(
        objectName: String, fields: [String] = [], where condition: String = "", orderBy: String = "",
        withNetwork: String = "", limit: Int = 0
    ) {
        self.objectName = objectName
        self.fields = fields
        self.where = condition
        self.orderBy = orderBy
        self.withNetwork = withNetwork
        self.limit = limit
    }

    /// The text of the spec, which begins with a blank as the reference writes it.
    func text() throws(Fault) -> String {
        var spec = BuiltText()
        try spec.append(" ", objectName)
        guard !spec.isEmpty else {
            throw Fault(.invalidSOQL, "no object specified to return")
        }
        let fields = try BuiltText.list(fields, separator: ", ")
        guard !fields.isEmpty else {
            return try spec.text()
        }
        try spec.append("(", fields)
        try spec.append(" where ", self.where)
        try spec.append(" order by ", orderBy)
        try spec.append(" with network = ", withNetwork)
        spec.append(" limit ", limit)
        spec.append(")")
        return try spec.text()
    }
}
