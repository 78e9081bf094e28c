import CSQLite

extension Connection {
    /// Counts of pages since the connection was opened. They do not depend on the clock. Source: https://sqlite.org/c3ref/c_dbstatus_options.html.
    public struct PageCounters: Sendable, Hashable {
        /// Pages found in the cache.
        public let hits: Int64
        /// Pages read from the file (and decrypted).
        public let misses: Int64
        /// Pages written to the file or the -wal (and encrypted).
        public let writes: Int64
        /// Pages written in the middle of a transaction for want of cache.
        public let spills: Int64
    }

    public func pageCounters() -> PageCounters {
        PageCounters(
            hits: counter(SQ_DBSTATUS_CACHE_HIT), misses: counter(SQ_DBSTATUS_CACHE_MISS), writes: counter(SQ_DBSTATUS_CACHE_WRITE),
            spills: counter(SQ_DBSTATUS_CACHE_SPILL))
    }

    private func counter(_ id: Int32) -> Int64 {
        var current: Int32 = 0
        var highest: Int32 = 0
        _ = sq_db_status(handle.table, handle.database, id, &current, &highest, 0)
        return Int64(current)
    }
}
