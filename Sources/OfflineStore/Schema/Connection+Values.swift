import SQLiteAccess
import Soups

extension Connection {
    /// Runs a statement with bound values and ignores its rows.
    func run(_ sql: String, _ values: SQLValue...) throws(Fault) {
        let statement = try statement(sql)
        for (index, value) in values.enumerated() {
            try statement.bind(value, at: index + 1)
        }
        try statement.run()
    }

    /// Reads the number that a count, a sum or a setting of SQLite gives: a statement that always has one row. The sum
    /// of no rows is 0.
    func number(_ sql: String) throws(Fault) -> Int64 { try integer(sql) ?? 0 }
}
