import Soups

/// A search in a full-text table of FTS5, which finds the ids of entries in their order.
struct FullTextSearch: Sendable {
    /// The name of the full-text table. Its rows have the ids of the entries.
    let table: String
    /// The match expression as FTS5 reads it.
    let text: [UInt8]

    /// The condition that a row of the full-text table matches.
    var match: SQLFragment { SQLFragment(text: "\(table) MATCH ?", bindings: [.text(text)]) }

    /// A statement that reads all rows found.
    func reading(_ columns: String) -> BoundStatement {
        BoundStatement(sql: "SELECT \(columns) FROM \(table) WHERE \(match.text)", bindings: match.bindings)
    }

    /// The condition that an entry is among those found.
    var membership: SQLFragment {
        let found = reading("rowid")
        return SQLFragment(text: "id IN (\(found.sql))", bindings: found.bindings)
    }

    /// The same condition, written so that SQLite does not look the entries up by it but filters what another index
    /// gives.
    var filter: SQLFragment {
        SQLFragment(text: "+\(membership.text)", bindings: membership.bindings)
    }
}
