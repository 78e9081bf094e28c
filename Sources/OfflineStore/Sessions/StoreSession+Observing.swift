import SQLiteAccess
import Soups

extension StoreSession {
    /// Measures one call for the store's observer; costs nothing if there is none, or if the call has no name.
    func observe<R>(
        _ operation: StoreEvent.Operation, _ body: () throws(Fault) -> Reported<R>
    ) throws(Fault) -> R {
        guard let events = options.events else {
            return try body().value
        }
        let clock = ContinuousClock()
        let start = clock.now
        var report = CallReport()
        defer {
            events(
                StoreEvent(
                    operation: operation, statement: report.statement,
                    nanoseconds: (clock.now - start).wholeNanoseconds, rows: report.rows, counters: report.counters))
        }
        let result = try body()
        report = result.report
        return result.value
    }

    /// The report to an observer about a statement that has run.
    func report(_ statement: Statement, rows: Int) -> CallReport {
        guard options.events != nil else {
            return CallReport(rows: rows)
        }
        return CallReport(rows: rows, statement: statement.sql, counters: statement.counters())
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
