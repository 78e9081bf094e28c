import SQLiteAccess
public import Soups

extension SmartStore {
    /// Adds up the counters of the connections that are open. O(prepared statements).
    ///
    /// For measurements: waits for the writer; connections that are reading at that moment are left out.
    public func counters() -> StoreCounters {
        connections.gather(StoreCounters()) { total, session in
            let pages = session.connection.pageCounters()
            total.machineSteps += session.connection.machineSteps()
            total.cacheMisses += pages.misses
            total.cacheWrites += pages.writes
        }
    }

    /// Explains the statements that the open connections have prepared: the lines of their query plans, grouped by
    /// statement, in the order of the statements' texts. Statements that search nothing have no lines, and neither have
    /// those whose tables no longer exist, which an alteration may leave.
    ///
    /// For measurements: a changed plan is the first thing to look for when a time has changed. The same limits as
    /// `counters`.
    ///
    /// - Throws: `closed`; faults of SQLite.
    public func statementPlans() throws(Fault) -> [String] {
        let texts = connections.gather(Set<ByteKey>()) { texts, session in
            for text in session.connection.statementTexts() where !text.utf8.starts(with: "EXPLAIN".utf8) {
                texts.insert(ByteKey(text))
            }
        }
        let sorted = texts.map(\.text).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        return try reading { (session) throws(Fault) in
            var plans: [String] = []
            for text in sorted {
                let lines: Statement
                do throws(Fault) {
                    lines = try session.connection.prepare("EXPLAIN QUERY PLAN " + text)
                } catch {
                    guard error.code == .sqlError else {
                        throw error
                    }
                    continue
                }
                while try lines.step() {
                    plans.append(lines.text(at: 3))
                }
            }
            return plans
        }
    }
}
