public import Soups

// The texts given are trimmed and otherwise put in as they are: values in them must be literals (`SOQLLiteral`). A
// fault's offset is one into the text given.
extension SOQLQuery {
    /// Returns the query with another list of fields.
    ///
    /// Throws `invalidSOQL` if the text is empty, or has an open quote or parenthesis; `limitExceeded` if the query
    /// would be longer than 1 MiB.
    public func replacingSelect(with fields: String) throws(Fault) -> SOQLQuery {
        try replacing(.select, with: Self.part(fields, missing: "no field to select"))
    }

    /// Returns the query with one or more fields in front of those that it selects. Does not ask whether it selects
    /// them already.
    ///
    /// Throws like `replacingSelect(with:)`.
    public func addingSelect(_ fields: String) throws(Fault) -> SOQLQuery {
        let fields = try Self.part(fields, missing: "no field to select")
        guard let old = clauses[.select] else {
            return try replacing(.select, with: fields)
        }
        return try replacing(.select, with: old.following(fields, ","))
    }

    /// Returns the query with one more condition, in front of the one that it has. That one is put in parentheses if it
    /// contains `or`, so that the new condition holds for every record.
    ///
    /// Throws like `replacingSelect(with:)`.
    public func addingWhere(_ predicate: String) throws(Fault) -> SOQLQuery {
        let predicate = try Self.part(predicate, missing: "no condition to add")
        guard let old = clauses[.where] else {
            return try replacing(.where, with: predicate)
        }
        guard try old.tokens.hasWord("or") else {
            return try replacing(.where, with: old.following(predicate, " and "))
        }
        return try replacing(.where, with: old.following(predicate, " and (", end: ")"))
    }

    /// Returns the query with another order; without one if the text is empty.
    ///
    /// Throws `invalidSOQL` if the text has an open quote or parenthesis; `limitExceeded` if the query would be longer
    /// than 1 MiB.
    public func replacingOrderBy(with order: String) throws(Fault) -> SOQLQuery {
        try replacing(.orderBy, with: SOQLClauseText(SOQLText(order).trimmed))
    }

    private func replacing(_ clause: SOQLClause, with text: SOQLClauseText) throws(Fault) -> SOQLQuery {
        var clauses = clauses
        clauses[clause] = text
        return try SOQLQuery(clauses)
    }

    private static func part(_ text: String, missing: String) throws(Fault) -> SOQLClauseText {
        let part = SOQLClauseText(try SOQLText(text).trimmed)
        guard !part.isEmpty else {
            throw Fault(.invalidSOQL, missing, offset: 0)
        }
        return part
    }
}
