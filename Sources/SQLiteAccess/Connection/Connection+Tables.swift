import CSQLite
package import Soups

extension Connection {
    /// Whether the database has a table of this name, in the schema that the connection knows. Runs no statement.
    ///
    /// Source: https://sqlite.org/c3ref/table_column_metadata.html
    package func hasTable(_ name: String) -> Bool {
        guard isOpen else { return false }
        let result = sq_table_column_metadata(
            handle.table, handle.database, "main", name, nil, nil, nil, nil, nil, nil)
        return result == SQ_OK
    }

    /// Whether rows can be read by this name: from a table, or from a view. Runs a
    /// statement only if there is no table.
    package func hasTableOrView(_ name: String) throws(Fault) -> Bool {
        guard !hasTable(name) else { return true }
        return try integer("SELECT count(*) FROM sqlite_master WHERE type = 'view' AND name = ?", .text(name)) != 0
    }
}
