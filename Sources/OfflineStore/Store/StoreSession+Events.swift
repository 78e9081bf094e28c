import SQLiteAccess
import Soups

extension StoreSession {
    /// Measures one call for the store's observer; costs nothing where there is none, or where the call has no name.
    func observe<R>(_ operation: StoreEvent.Operation?, _ body: () throws(Fault) -> R) throws(Fault) -> R {
        guard isObserved, let operation, let hear = options.events else {
            return try body()
        }
        rows = 0
        statementText = nil
        let clock = ContinuousClock()
        let start = clock.now
        defer {
            let (seconds, attoseconds) = (clock.now - start).components
            hear(
                StoreEvent(
                    operation: operation, statement: statementText,
                    nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000, rows: rows,
                    counters: counters))
            counters = nil
        }
        return try body()
    }

    /// Keeps what an observer is told about a statement that has run.
    func note(_ statement: Statement, rows: Int) {
        guard isObserved else { return }
        self.rows = rows
        statementText = statement.sql
        counters = statement.counters()
    }
}
