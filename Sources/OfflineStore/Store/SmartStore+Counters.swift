import SQLiteAccess

/// What a store's open connections have counted together. None of it depends on the clock, so that two runs of the same work agree exactly.
public struct StoreCounters: Sendable, Hashable {
    /// Steps of SQLite's virtual machine, by the statements that are prepared.
    public var machineSteps: Int64 = 0
    /// Pages read from the file, and pages written to it or to the -wal.
    public var cacheMisses: Int64 = 0
    public var cacheWrites: Int64 = 0
}

extension SmartStore {
    /// Adds up the counters of the connections that are open. O(prepared statements).
    ///
    /// For measurements: waits for the writer; readers that work at that moment are left out.
    public func counters() -> StoreCounters {
        connections.addUp { total, session in
            let pages = session.connection.pageCounters()
            total.machineSteps += session.connection.machineSteps()
            total.cacheMisses += pages.misses
            total.cacheWrites += pages.writes
        }
    }
}
