import SQLiteAccess

/// What a call tells the observer of a store.
struct CallReport {
    /// The number of entries written, rows returned or rows removed.
    var rows = 0
    /// The SQL of the one statement that the call is about.
    var statement: String?
    var counters: Statement.Counters?
}

/// What a call gives its caller, with what it tells an observer.
struct Reported<Value> {
    let value: Value
    let report: CallReport

    init(_ value: Value, _ report: CallReport) {
        self.value = value
        self.report = report
    }

    init(_ value: Value, rows: Int = 0) { self.init(value, CallReport(rows: rows)) }
}
