import SQLiteAccess
import Soups

/// Creates the tables of a key-value store.
///
/// `kv` has a row for each key. A value of up to `pieceSize` bytes is in the row; a longer one is in rows of
/// `kv_pieces`, under the number in `pieces`, and `value` is its length, by which a lost piece is noticed. (Earlier
/// versions left `value` NULL and do not look at it.) Each value gets a number of its own, so that one that is read
/// piece by piece is never mixed with the one that replaced it. An ordinary table, because SQLite's tables without row
/// ids suit short rows only.
enum KeyValueTables {
    static let version: Int64 = 1
    /// The longest value in a row, and the size of each piece but the last.
    static let pieceSize = 1 << 16

    /// Creates the tables in a new file; does nothing if they are there.
    static func prepare(_ connection: Connection) throws(Fault) {
        if try connection.integer("PRAGMA user_version") == version {
            return try require(connection)
        }
        try connection.transaction(.immediate) { () throws(Fault) in
            guard try connection.integer("SELECT count(*) FROM sqlite_master") == 0 else {
                return try require(connection)
            }
            try connection.execute(
                """
                CREATE TABLE kv (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, value BLOB, modified INTEGER, pieces INTEGER);
                CREATE TABLE kv_pieces (id INTEGER PRIMARY KEY, pieces INTEGER NOT NULL, number INTEGER NOT NULL, data BLOB NOT NULL, \
                UNIQUE (pieces, number));
                PRAGMA user_version = \(version);
                """)
        }
    }

    /// Checks that the file is a key-value store of this version.
    static func require(_ connection: Connection) throws(Fault) {
        guard try exist(in: connection) else {
            throw Fault(.corrupt, "\(connection.path) is not a key-value store: give the path of another file")
        }
        let found = try connection.number("PRAGMA user_version")
        guard found <= version else {
            throw Fault(
                .storeNewerThanApp,
                "\(connection.path) was written by a later version (format \(found)): update the app to open it")
        }
    }

    /// Whether the file has the tables of a key-value store.
    static func exist(in connection: Connection) throws(Fault) -> Bool {
        try connection.integer(
            "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('kv', 'kv_pieces')") == 2
    }
}
