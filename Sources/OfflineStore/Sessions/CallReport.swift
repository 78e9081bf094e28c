import SQLiteAccess

/// What a call tells the observer of a store.
struct CallReport {
    /// The number of entries written, rows returned or rows removed.
    var rows = 0
    /// The SQL of the one statement that the call is about.
    var statement: String?
    var counters: StatementCounters?
}
