import SQLiteAccess
import Soups

/// Two soups in a database in memory of the plain library: `a` with FTS5 and `b` with FTS4.
final class FuzzSoups: SoupCatalogue {
    let connection: Connection
    let soups: [RegisteredSoup]
    let reach: Connection.Reach

    init() {
        do {
            connection = try Connection(inMemory: SQLiteLibrary.find(.plain))
            try connection.execute("CREATE TABLE soup_attrs (id INTEGER PRIMARY KEY, soupName TEXT)")
            soups = [("a", FullTextVersion.fts5), ("b", .fts4)].enumerated().map { index, soup in
                let table = "TABLE_\(index + 1)"
                return RegisteredSoup(
                    spec: SoupSpec(name: soup.0), id: Int64(index + 1),
                    indexSpecs: [
                        IndexSpec(path: "s", type: .string, columnName: "\(table)_0"),
                        IndexSpec(path: "i", type: .integer, columnName: "\(table)_1"),
                        IndexSpec(path: "j", type: .json1, columnName: JSONExtract.expression("j")),
                        IndexSpec(path: "t", type: .fullText, columnName: "\(table)_3"),
                    ], fullTextVersion: soup.1)
            }
            for soup in soups {
                let table = soup.tableName
                try connection.execute(
                    """
                    CREATE TABLE \(table) (id INTEGER PRIMARY KEY AUTOINCREMENT, soup TEXT, created INTEGER, lastModified INTEGER,
                        \(table)_0 TEXT, \(table)_1 INTEGER, \(table)_3 TEXT);
                    CREATE VIRTUAL TABLE \(table)_fts USING \((soup.fullTextVersion ?? .fts5).rawValue)(\(table)_3);
                    INSERT INTO \(table)(soup, \(table)_3) VALUES ('{"j":1}', 'red fox'), ('{}', 'blue den');
                    INSERT INTO \(table)_fts(rowid, \(table)_3) SELECT id, \(table)_3 FROM \(table);
                    """)
            }
            let names = try connection.statement("SELECT name FROM sqlite_master")
            var schema: [String] = []
            while try names.step() {
                schema.append(names.text(at: 0))
            }
            reach = Connection.Reach(tables: soups.map(\.tableName) + ["json_each", "json_tree"], schema: schema)
        } catch {
            preconditionFailure("the database in memory cannot be made: \(error)")
        }
    }

    func soup(named name: String) throws(Fault) -> RegisteredSoup? { soups.first { ByteKey($0.name) == ByteKey(name) } }
}
