import SQLiteAccess
import Soups

/// Finds ids of entries by the value at an indexed path.
enum EntryLookup {
    /// At most `limit` ids in ascending order; NULL finds the entries without a value.
    static func ids(
        where spec: IndexSpec, equals value: SQLValue, in soup: RegisteredSoup, session: StoreSession, limit: Int
    ) throws(Fault) -> Reported<[Int64]> {
        guard let column = spec.columnName else {
            return Reported([])
        }
        let condition = value == .null ? "\(column) IS NULL" : "\(column) = ?"
        let statement = try session.connection.statement(
            "SELECT id FROM \(soup.tableName) WHERE \(condition) ORDER BY id LIMIT \(limit)")
        defer { statement.reset() }
        switch (value, spec.type) {
        case (.null, _): break
        // The column has converted its numbers to doubles; an integer beyond 2^53 equals none of them.
        case (.integer(let number), .floating): try statement.bind(real: Double(number), at: 1)
        default: try statement.bind(value, at: 1)
        }
        var ids: [Int64] = []
        while try statement.step() {
            ids.append(statement.integer(at: 0))
        }
        return Reported(ids, session.report(statement, rows: ids.count))
    }
}
