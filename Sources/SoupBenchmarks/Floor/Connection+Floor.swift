import CFloor
import CSQLite
import SQLiteAccess
import Soups

extension Connection {
    /// Runs a script in direct calls of SQLite (floor.c): the arm that the store is measured against.
    ///
    /// The statements and the values are those of the store; `FloorStatementTests` compares them.
    ///
    /// - Parameter batch: The number of entries in one transaction; 0 for no transactions.
    /// - Throws: faults of SQLite.
    @discardableResult
    func runFloor(_ script: FloorScript, batch: Int = 0) throws(Fault) -> FloorTotal {
        var total = sq_floor_total()
        let result = try withRawHandle { (table, database) throws(Fault) in
            script.withSteps { texts, steps in
                sq_floor_run(
                    table, database, texts, Int32(script.statements.count), steps, Int64(script.count),
                    Int64(batch * script.stepsOfEntry), &total)
            }
        }
        guard result == SQ_OK else {
            throw fault(forResult: result, doing: "running the floor")
        }
        return FloorTotal(rows: total.rows, bytes: total.bytes)
    }
}
