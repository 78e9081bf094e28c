import CSQLite

extension Connection {
    /// Counts of pages since the connection was opened. They do not depend on the clock. Source:
    /// https://sqlite.org/c3ref/c_dbstatus_options.html.
    public struct PageCounters: Sendable, Hashable {
        /// Pages found in the cache.
        public let hits: Int64
        /// Pages read from the file (and decrypted).
        public let misses: Int64
        /// Pages written to the file or the -wal (and encrypted).
        public let writes: Int64
        /// Pages written in the middle of a transaction because the cache was full.
        public let spills: Int64
    }

    /// Reads the counts; they go on counting.
    public func pageCounters() -> PageCounters {
        PageCounters(
            hits: counter(SQ_DBSTATUS_CACHE_HIT), misses: counter(SQ_DBSTATUS_CACHE_MISS),
            writes: counter(SQ_DBSTATUS_CACHE_WRITE),
            spills: counter(SQ_DBSTATUS_CACHE_SPILL))
    }

    /// Returns the steps of SQLite's virtual machine, over all statements that are prepared now. Each counts since it
    /// was prepared or its counters were reset.
    public func machineSteps() -> Int64 {
        var steps: Int64 = 0
        var statement = sq_next_stmt(handle.table, handle.database, nil)
        while let current = statement {
            steps += Int64(sq_stmt_status(handle.table, current, SQ_STMTSTATUS_VM_STEP, 0))
            statement = sq_next_stmt(handle.table, handle.database, current)
        }
        return steps
    }

    /// Lists the texts of all statements of ours that are prepared now, in no particular order and without the values
    /// bound to them.
    public func statementTexts() -> [String] { handle.statementTexts }

    private func counter(_ id: Int32) -> Int64 {
        var current: Int32 = 0
        var highest: Int32 = 0
        _ = sq_db_status(handle.table, handle.database, id, &current, &highest, 0)
        return Int64(current)
    }
}
