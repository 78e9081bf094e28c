import Soups

/// Caches prepared statements by the bytes of their text, and drops the least recently used.
final class StatementCache {
    /// A class, so that noting a use needs no second lookup of the text.
    private final class Entry {
        let statement: Statement
        var used: UInt64

        init(_ statement: Statement, used: UInt64) {
            self.statement = statement
            self.used = used
        }
    }

    private var kept: [ByteKey: Entry] = [:]
    private var clock: UInt64 = 0
    private let limit: Int

    init(limit: Int = 256) { self.limit = limit }

    /// Returns the statement of that text if it is cached and not in use.
    func take(_ sql: String) -> Statement? {
        guard let entry = kept[ByteKey(sql)], !entry.statement.isRunning else { return nil }
        clock += 1
        entry.used = clock
        entry.statement.clear()
        return entry.statement
    }

    func keep(_ statement: Statement) {
        if kept.count >= limit, let oldest = kept.min(by: { $0.value.used < $1.value.used }) {
            kept[oldest.key] = nil
        }
        clock += 1
        kept[ByteKey(statement.sql)] = Entry(statement, used: clock)
    }

    func removeAll() { kept = [:] }
}
