import CSQLite
public import Soups

extension Connection {
    /// Says when a transaction takes its lock.
    public enum TransactionKind: Sendable {
        /// At the first statement; for reading: everything inside sees one state.
        case deferred
        /// At once; for writing: it cannot fail half-way because another writer was faster.
        case immediate

        var beginning: String { self == .deferred ? "BEGIN DEFERRED" : "BEGIN IMMEDIATE" }
    }

    public var isInTransaction: Bool { isOpen && sq_get_autocommit(handle.table, handle.database) == 0 }

    /// Runs work whole or not at all: commits when it returns, rolls back when it throws. One inside another is a
    /// savepoint.
    public func transaction<R>(_ kind: TransactionKind = .immediate, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        let depth = transactionDepth
        try statement(depth == 0 ? kind.beginning : "SAVEPOINT level_\(depth)").run()
        transactionDepth += 1
        defer { transactionDepth = depth }
        do throws(Fault) {
            let result = try work()
            try statement(depth == 0 ? "COMMIT" : "RELEASE level_\(depth)").run()
            return result
        } catch {
            rollBack(depth)
            throw error
        }
    }

    /// SQLite may have rolled back by itself (disk full, corruption): then there is nothing left to undo.
    private func rollBack(_ depth: Int) {
        guard isInTransaction else { return }
        _ = handle.execute(depth == 0 ? "ROLLBACK" : "ROLLBACK TO level_\(depth); RELEASE level_\(depth)")
    }
}
