import CSQLite
public import Soups

/// Says what a run of the floor saw, so that nobody can believe a run that did nothing.
public struct FloorTotal: Sendable, Hashable {
    public let rows: Int64
    public let bytes: Int64

    public init(rows: Int64, bytes: Int64) {
        self.rows = rows
        self.bytes = bytes
    }
}

extension Connection {
    /// Runs one statement for each row of values in bare calls of SQLite (floor.c), the arm against which the store is
    /// measured.
    ///
    /// The statement and the values are those of the store; a test holds them side by side.
    ///
    /// - Parameter batch: runs that make one transaction; 0 leaves each to itself.
    /// - Throws: what SQLite says.
    public func runFloor(_ sql: String, rows: FloorRows, batch: Int = 0) throws(Fault) -> FloorTotal {
        try requireOpen()
        var total = sq_floor_total()
        let result = rows.withValues { values in
            sq_floor_run(
                handle.table, handle.database, sql, values, Int32(rows.width), Int64(rows.count), Int64(batch), &total)
        }
        guard result == SQ_OK else {
            throw .sqlite(result, handle, doing: "running the floor", mayQuoteValues: true)
        }
        return FloorTotal(rows: total.rows, bytes: total.bytes)
    }

    /// Records each statement that runs while the work runs, with its values written in. For tests: nothing else may
    /// hold values as text.
    public func recordingStatements(_ work: () throws(Fault) -> Void) throws(Fault) -> [String] {
        try requireOpen()
        let record = StatementRecord(table: handle.table)
        _ = sq_trace_v2(
            handle.table, handle.database, UInt32(SQ_TRACE_STMT),
            { _, context, statement, _ in
                guard let context, let statement else {
                    return 0
                }
                Unmanaged<StatementRecord>.fromOpaque(context).takeUnretainedValue().note(OpaquePointer(statement))
                return 0
            }, Unmanaged.passUnretained(record).toOpaque())
        defer {
            _ = sq_trace_v2(handle.table, handle.database, 0, nil, nil)
        }
        try work()
        return record.texts
    }
}

/// Collects what a trace reports.
private final class StatementRecord {
    let table: UnsafePointer<sq_api>
    var texts: [String] = []

    init(table: UnsafePointer<sq_api>) { self.table = table }

    func note(_ statement: OpaquePointer) {
        guard let text = sq_expanded_sql(table, statement) else { return }
        texts.append(String(cString: text))
        sq_free(table, text)
    }
}
