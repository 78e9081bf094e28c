import CSQLite
public import Soups

extension Connection {
    /// Says when a transaction takes its lock.
    public enum TransactionKind: Sendable {
        /// At the first statement; for reading, so that everything inside sees one state.
        case deferred
        /// At once; for writing, so that it cannot fail half-way because another writer was faster.
        case immediate

        var beginning: String { self == .deferred ? "BEGIN DEFERRED" : "BEGIN IMMEDIATE" }
    }

    public var isInTransaction: Bool { isOpen && sq_get_autocommit(handle.table, handle.database) == 0 }

    /// Runs work as a whole or not at all: commits when it returns, rolls back when it throws. A transaction inside
    /// another one is a savepoint.
    ///
    /// After some failures (a full disk, I/O, memory, an interrupt) SQLite rolls the whole transaction back by itself,
    /// including the savepoints around it. Such a transaction is lost: every further statement in it throws the fault
    /// that lost it, and so does the outermost transaction, even if the work caught that fault.
    ///
    /// An immediate transaction checks the file before it begins and after it has committed, and throws `storeNotFound`
    /// if the file was removed or replaced.
    public func transaction<R>(_ kind: TransactionKind = .immediate, _ work: () throws(Fault) -> R) throws(Fault) -> R {
        let watch = handle.watch
        let depth = watch.depth
        try watch.check()
        if depth == 0 {
            try requireFiles(for: kind)
            if kind == .immediate {
                try requireLog()
            }
        }
        try watch.beginOrEnd { () throws(Fault) in
            try statement(depth == 0 ? kind.beginning : "SAVEPOINT level_\(depth)").run()
        }
        watch.enter()
        defer { watch.leave() }
        if depth == 0, kind == .immediate {
            noteLog()
        }
        do throws(Fault) {
            let result = try work()
            try watch.check()
            try watch.beginOrEnd { () throws(Fault) in
                try statement(depth == 0 ? "COMMIT" : "RELEASE level_\(depth)").run()
            }
            // What is acknowledged is in the file that the path leads to, and files that were read as they are were not
            // written to in the meantime.
            if depth == 0 {
                try requireFiles(for: kind)
            }
            return result
        } catch {
            rollBack(depth)
            throw watch.loss ?? error
        }
    }

    /// Whether the writer's lock is free, without waiting for it. Must be called outside of transactions.
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

    /// Rolls back, unless the transaction is lost already.
    private func rollBack(_ depth: Int) {
        guard isInTransaction else { return }
        handle.watch.beginOrEnd {
            _ = handle.execute(depth == 0 ? "ROLLBACK" : "ROLLBACK TO level_\(depth); RELEASE level_\(depth)")
        }
    }
}
