import Soups

/// Keeps prepared statements by the bytes of their text, the least recently used giving way.
final class StatementCache {
    private var kept: [ByteKey: (statement: Statement, used: UInt64)] = [:]
    private var clock: UInt64 = 0
    private let limit: Int

    init(limit: Int = 256) { self.limit = limit }

    /// The statement of that text, if it is kept and not in use.
    func take(_ sql: String) -> Statement? {
        let key = ByteKey(sql)
        guard let entry = kept[key], !entry.statement.isRunning else { return nil }
        clock += 1
        kept[key]?.used = clock
        entry.statement.clear()
        return entry.statement
    }

    func keep(_ statement: Statement) {
        if kept.count >= limit, let oldest = kept.min(by: { $0.value.used < $1.value.used }) { kept[oldest.key] = nil }
        clock += 1
        kept[ByteKey(statement.sql)] = (statement, clock)
    }

    func removeAll() { kept = [:] }
}
