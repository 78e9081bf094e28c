import SQLiteAccess
import SmartSQL
import Soups

extension StoreSession {
    /// The SQL of a Smart SQL text, for the schema that this session knows.
    func translate(_ smartSql: String) throws(Fault) -> TranslatedQuery {
        try schema.translations.query(smartSql, catalogue: self, permissive: options.permissivePaths)
    }

    /// What a text may read, with the tables that it defines itself.
    func reach(of query: TranslatedQuery) throws(Fault) -> Connection.Reach {
        try reachOfTexts().defining(query.definedTables)
    }

    /// What the text of a user may read: the tables of soups, and the two functions that take JSON apart.
    func reachOfTexts() throws(Fault) -> Connection.Reach {
        if let known = schema.reachOfTexts {
            return known
        }
        // SQLite 3.40 creates these two when they are first used, which a restricted text may not do, because that
        // creates a table.
        _ = try connection.statement("SELECT 1 FROM json_each('[]'), json_tree('[]')")
        let all = try connection.statement("SELECT name FROM sqlite_master")
        defer { all.reset() }
        var names: [String] = []
        while try all.step() {
            names.append(all.text(at: 0))
        }
        let reach = Connection.Reach(
            tables: ["json_each", "json_tree"]
                + (try SoupReading.tables(connection)).map { SoupTableName($0).description },
            schema: names)
        schema.reachOfTexts = reach
        return reach
    }
}
