import SmartSQL
import Soups

extension StoreSession {
    /// The SQL of a Smart SQL text, for the schema that is known.
    func translate(_ smartSql: String) throws(Fault) -> TranslatedQuery {
        try translations.query(smartSql, catalogue: self, permissive: options.permissivePaths)
    }

    /// What the text of a user may read: the tables of soups, and the two functions that take JSON apart.
    func readableTables() throws(Fault) -> [String] {
        if let known = tablesOfSoups { return known }
        var tables = ["json_each", "json_tree"]
        for id in try SoupReading.tables(connection) { tables.append("TABLE_\(id)") }
        tablesOfSoups = tables
        return tables
    }
}
