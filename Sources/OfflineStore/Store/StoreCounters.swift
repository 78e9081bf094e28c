/// Holds the sums of what a store's open connections have counted. The counts do not depend on the clock, so two runs
/// of the same work agree exactly.
public struct StoreCounters: Sendable, Hashable {
    /// Steps of SQLite's virtual machine, by the statements that are prepared.
    public var machineSteps: Int64 = 0
    /// Pages read from the file.
    public var cacheMisses: Int64 = 0
    /// Pages written to the file or to the -wal.
    public var cacheWrites: Int64 = 0
}
