import SQLiteAccess
import Soups

/// Creates the tables that describe a store, and upgrades those of older versions of Mobile SDK. Source: the reference,
/// `DBOpenHelper` on Android.
enum MetaTables {
    static let version: Int64 = 3

    /// Creates or upgrades in one transaction; does nothing if the tables are up to date.
    static func prepare(_ connection: Connection) throws(Fault) {
        if try isCurrent(connection) {
            return
        }
        try connection.transaction(.immediate) { () throws(Fault) in
            if try isCurrent(connection) {
                return
            }
            guard try !KeyValueTables.exist(in: connection) else {
                throw Fault(
                    .corrupt,
                    "\(connection.path) is a key-value store: open it as one, or give the path of another file")
            }
            let tables = try names(connection)
            let hasSoups = tables.contains("soup_attrs") || tables.contains("soup_names")
            if tables.contains("soup_names"), !tables.contains("soup_attrs") {
                try connection.execute("ALTER TABLE soup_names RENAME TO soup_attrs")
            }
            try connection.execute(
                """
                CREATE TABLE IF NOT EXISTS soup_index_map (soupName TEXT, path TEXT, columnName TEXT, columnType TEXT);
                CREATE INDEX IF NOT EXISTS soup_index_map_0 on soup_index_map ( soupName );
                CREATE TABLE IF NOT EXISTS soup_attrs (id INTEGER PRIMARY KEY AUTOINCREMENT, soupName TEXT, externalStorage INTEGER DEFAULT 0);
                CREATE INDEX IF NOT EXISTS soup_attrs_0 on soup_attrs ( soupName );
                CREATE TABLE IF NOT EXISTS long_operations_status (id INTEGER PRIMARY KEY AUTOINCREMENT, type TEXT, details TEXT, status TEXT, \
                created INTEGER, lastModified INTEGER);
                """)
            if !hasSoups, !tables.isEmpty {
                try reserveNumbers(connection)
            }
            // Mobile SDK before 4.3, and again since 11.0, does not have this column.
            if try !hasExternalColumn(connection) {
                try connection.execute("ALTER TABLE soup_attrs ADD COLUMN externalStorage INTEGER DEFAULT 0")
            }
            // A later version may have added to the tables: its number stays.
            if try connection.number("PRAGMA user_version") < version {
                try connection.execute("PRAGMA user_version = \(version)")
            }
        }
    }

    /// Leaves the numbers of tables that are there to the soups that the lost list had: a soup that is registered now
    /// gets a number after them. A name with more digits than a number has is not that of a soup.
    private static func reserveNumbers(_ connection: Connection) throws(Fault) {
        try connection.execute(
            """
            INSERT INTO sqlite_sequence (name, seq) SELECT 'soup_attrs', number FROM \
            (SELECT max(CAST(substr(name, 7) AS INTEGER)) AS number FROM sqlite_master \
            WHERE type = 'table' AND name GLOB 'TABLE_[0-9]*' AND length(name) < 24) WHERE number IS NOT NULL
            """)
    }

    private static func isCurrent(_ connection: Connection) throws(Fault) -> Bool {
        guard try connection.number("PRAGMA user_version") >= version else { return false }
        let tables = try names(connection)
        guard tables.isSuperset(of: ["soup_index_map", "soup_attrs", "long_operations_status"]) else {
            return false
        }
        return try hasExternalColumn(connection)
    }

    static func hasExternalColumn(_ connection: Connection) throws(Fault) -> Bool {
        try connection.number("SELECT count(*) FROM pragma_table_info('soup_attrs') WHERE name = 'externalStorage'")
            > 0
    }

    /// The meta tables that exist; their names are ASCII, so `String` compares them exactly.
    static func names(_ connection: Connection) throws(Fault) -> Set<String> {
        let statement = try connection.statement(
            """
            SELECT name FROM sqlite_master WHERE type = 'table' \
            AND name IN ('soup_index_map', 'soup_attrs', 'soup_names', 'long_operations_status')
            """)
        defer { statement.reset() }
        var names: Set<String> = []
        while try statement.step() {
            names.insert(statement.text(at: 0))
        }
        return names
    }
}
