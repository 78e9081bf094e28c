import CFloor
import CSQLite
import SQLiteAccess
import Soups

extension Connection {
    /// Runs one statement for each row of values in direct calls of SQLite (floor.c): the arm that the store is
    /// measured against.
    ///
    /// The statement and the values are those of the store; `FloorStatementTests` compares them.
    ///
    /// - Parameter batch: The number of runs in one transaction; 0 for no transactions.
    /// - Throws: faults of SQLite.
    func runFloor(_ sql: String, rows: FloorRows, batch: Int = 0) throws(Fault) -> FloorTotal {
        var total = sq_floor_total()
        let result = try withRawHandle { (table, database) throws(Fault) in
            rows.withValues { values in
                sq_floor_run(
                    table, database, sql, values, Int32(rows.width), Int64(rows.count), Int64(batch), &total)
            }
        }
        guard result == SQ_OK else {
            throw fault(forResult: result, doing: "running the floor")
        }
        return FloorTotal(rows: total.rows, bytes: total.bytes)
    }
}
