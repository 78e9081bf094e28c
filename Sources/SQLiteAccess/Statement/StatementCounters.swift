/// Counts of one statement since they were last reset. They do not depend on the clock. Source:
/// https://sqlite.org/c3ref/c_stmtstatus_counter.html.
public struct StatementCounters: Sendable, Hashable {
    /// Steps of SQLite's virtual machine.
    public let machineSteps: Int
    /// Rows visited in full table scans.
    public let scanSteps: Int
    /// Sorts that an index did not save.
    public let sorts: Int
}
