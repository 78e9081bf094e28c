import SQLiteAccess
import Soups

extension StoreSession {
    /// Measures one call for the store's observer; costs nothing if there is none, or if the call has no name.
    func observe<R>(_ operation: StoreEvent.Operation?, _ body: () throws(Fault) -> R) throws(Fault) -> R {
        guard isObserved, let operation, let hear = options.events else {
            return try body()
        }
        rows = 0
        statementText = nil
        let clock = ContinuousClock()
        let start = clock.now
        defer {
            hear(
                StoreEvent(
                    operation: operation, statement: statementText, nanoseconds: (clock.now - start).wholeNanoseconds,
                    rows: rows, counters: counters))
            counters = nil
        }
        return try body()
    }

    /// Keeps the text of a statement that was explained and has not run, for the observer.
    func note(statementText text: String) {
        guard isObserved else { return }
        statementText = text
    }

    /// Keeps text and counters of a statement that has run, for the observer.
    func note(_ statement: Statement, rows: Int) {
        guard isObserved else { return }
        self.rows = rows
        statementText = statement.sql
        counters = statement.counters()
    }
}

extension StoreOptions {
    /// Measures work of a store that has no connection at that time. Costs nothing if there is no observer.
    func observe<R>(_ operation: StoreEvent.Operation, _ body: () throws(Fault) -> R) throws(Fault) -> R {
        guard let events else {
            return try body()
        }
        let clock = ContinuousClock()
        let start = clock.now
        defer {
            let nanoseconds = (clock.now - start).wholeNanoseconds
            events(StoreEvent(operation: operation, statement: nil, nanoseconds: nanoseconds, rows: 0, counters: nil))
        }
        return try body()
    }
}

extension Duration {
    fileprivate var wholeNanoseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
