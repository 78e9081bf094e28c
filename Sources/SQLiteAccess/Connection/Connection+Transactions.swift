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
    ///
    /// After some failures (a full disk, I/O, memory, an interrupt) SQLite rolls the whole transaction back by itself,
    /// the savepoints around it included. Such a transaction is lost: every further statement in it throws the fault
    /// that lost it, and so does the outermost transaction, even where the work caught that fault.
    ///
    /// An immediate one looks at the file before it begins and after it has committed: `storeNotFound` where it was
    /// removed or replaced.
    public func transaction<R>(_ kind: TransactionKind = .immediate, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        let watch = handle.watch
        let depth = watch.depth
        try watch.check()
        if depth == 0 {
            try requireFiles(for: kind)
        }
        try watch.beginOrEnd { () throws(Fault) in
            try statement(depth == 0 ? kind.beginning : "SAVEPOINT level_\(depth)").run()
        }
        watch.enter()
        defer { watch.leave() }
        do throws(Fault) {
            let result = try work()
            try watch.check()
            try watch.beginOrEnd { () throws(Fault) in
                try statement(depth == 0 ? "COMMIT" : "RELEASE level_\(depth)").run()
            }
            // What is acknowledged is in the file that the path leads to, and what was read as it is was not written to
            // in between.
            if depth == 0 {
                try requireFiles(for: kind)
            }
            return result
        } catch {
            rollBack(depth)
            throw watch.loss ?? error
        }
    }

    /// Whether the writer's lock is free, without waiting for it. To be asked outside of transactions.
    package func canLockForWriting() throws(Fault) -> Bool {
        try requireOpen()
        try handle.watch.check()
        return handle.watch.beginOrEnd {
            handle.withoutWaiting {
                let code = handle.execute("BEGIN IMMEDIATE")
                guard code.rawValue == SQ_OK else { return false }
                return handle.execute("ROLLBACK").rawValue == SQ_OK
            }
        }
    }

    /// A lost transaction leaves nothing to undo.
    private func rollBack(_ depth: Int) {
        guard isInTransaction else { return }
        handle.watch.beginOrEnd {
            _ = handle.execute(depth == 0 ? "ROLLBACK" : "ROLLBACK TO level_\(depth); RELEASE level_\(depth)")
        }
    }
}
