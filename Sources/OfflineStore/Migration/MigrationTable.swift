import SQLiteAccess
import Soups

/// Keeps in the store which migrations were run, and how far the one under way has come. Mobile SDK ignores the table.
enum MigrationTable {
    static let name = "offline_core_migrations"

    struct Row {
        let id: String
        /// The number of calls of the context that are finished.
        var calls: Int
        /// The soup of the rewriting under way, and the last id that was done in it.
        var soup: String?
        var position: Int64
        var isFinished: Bool
    }

    /// The migrations in the order in which they were begun; none if the table does not exist.
    static func rows(_ connection: Connection) throws(Fault) -> [Row] {
        guard
            try connection.integer(
                "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = '\(name)'") == 1
        else {
            return []
        }
        let statement = try connection.prepare(
            "SELECT id, state, soup, position, finished FROM \(name) ORDER BY rowid")
        var rows: [Row] = []
        while try statement.step() {
            rows.append(
                Row(
                    id: statement.text(at: 0), calls: Int(statement.text(at: 1)) ?? 0,
                    soup: statement.isNull(at: 2) ? nil : statement.text(at: 2), position: statement.integer(at: 3),
                    isFinished: statement.integer(at: 4) != 0))
        }
        return rows
    }

    /// Notes the state of a migration, in the transaction of the caller.
    static func write(_ row: Row, _ connection: Connection) throws(Fault) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS \(name) (id TEXT NOT NULL UNIQUE, state TEXT, soup TEXT, position INTEGER, \
            finished INTEGER)
            """)
        let soup: SQLValue = row.soup.map { .text($0) } ?? .null
        try connection.run(
            """
            INSERT INTO \(name) (id, state, soup, position, finished) VALUES (?, ?, ?, ?, ?) \
            ON CONFLICT (id) DO UPDATE SET state = excluded.state, soup = excluded.soup, \
            position = excluded.position, finished = excluded.finished
            """,
            .text(row.id), .text(String(row.calls)), soup, .integer(row.position),
            .boolean(row.isFinished))
    }
}
