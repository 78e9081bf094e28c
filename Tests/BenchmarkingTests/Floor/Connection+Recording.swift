import CSQLite
import SQLiteAccess
import Soups

extension Connection {
    /// Records each statement that runs during the work, with its values written in. Only a test may hold values as
    /// text.
    func recordingStatements(_ work: () throws(Fault) -> Void) throws(Fault) -> [String] {
        try withRawHandle { (table, database) throws(Fault) in
            let record = StatementRecord(table: table)
            _ = sq_trace_v2(
                table, database, UInt32(SQ_TRACE_STMT),
                { _, context, statement, _ in
                    guard let context, let statement else {
                        return 0
                    }
                    Unmanaged<StatementRecord>.fromOpaque(context).takeUnretainedValue().note(OpaquePointer(statement))
                    return 0
                }, Unmanaged.passUnretained(record).toOpaque())
            defer { _ = sq_trace_v2(table, database, 0, nil, nil) }
            try work()
            return record.texts
        }
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
