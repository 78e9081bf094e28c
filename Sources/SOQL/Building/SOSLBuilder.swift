public import Soups

/// Builds a SOSL search from its parts.
///
/// ```swift
/// let contacts = SOSLReturning(objectName: "Contact", fields: ["Id", "Name"], limit: 5)
/// let builder = SOSLBuilder(term: "O'Neil", searchGroup: "NAME FIELDS", returning: [contacts])
/// let text = try builder.text()  // find {O\'Neil} in NAME FIELDS returning  Contact(Id, Name limit 5)
/// ```
public struct SOSLBuilder: Sendable, Hashable {
    /// What is searched for, as the user wrote it: it is escaped.
    public var term: String
    /// Where is searched, such as `NAME FIELDS`.
    public var searchGroup: String
    /// What is returned, object by object.
    public var returning: [SOSLReturning]
    /// The condition on divisions, such as `DIVISION = 'Global'`.
    public var divisionFilter: String
    /// The condition on data categories.
    public var dataCategory: String
    /// The greatest number of records; no limit below 1.
    public var limit: Int

    /// Creates a builder of these parts.
    public init(
        term: String = "", searchGroup: String = "", returning: [SOSLReturning] = [], divisionFilter: String = "",
        dataCategory: String = "", limit: Int = 0
    ) {
        self.term = term
        self.searchGroup = searchGroup
        self.returning = returning
        self.divisionFilter = divisionFilter
        self.dataCategory = dataCategory
        self.limit = limit
    }

    /// Returns the text of the search.
    ///
    /// Throws `invalidSOQL` if there is no term, a spec has no object, or a part has an open quote or parenthesis (the
    /// offset is one into that part); `limitExceeded` if the search would be longer than 1 MiB.
    public func text() throws(Fault) -> String {
        guard !term.isEmpty else {
            throw Fault(.invalidSOQL, "no term to search for")
        }
        var search = BuiltText()
        search.append("find {" + (try SOSLTerm.escaped(term)) + "}")
        try search.append(" in ", searchGroup)
        for (index, spec) in returning.enumerated() {
            search.append(index == 0 ? " returning " : ", ")
            search.append(try spec.text())
        }
        try search.append(" with ", divisionFilter)
        try search.append(" with data category ", dataCategory)
        search.append(" limit ", limit)
        return try search.text()
    }
}
