import SQLiteAccess
import Soups

extension SmartStore {
    /// Runs one writing call: the writer's lock, a transaction (a savepoint inside `transaction`), the time of the
    /// call, an event.
    func writing<R>(
        _ operation: StoreEvent.Operation,
        _ body: (_ session: StoreSession, _ now: Int64) throws(Fault) -> Reported<R>
    ) throws(Fault) -> R {
        try connections.write { (session, _) throws(Fault) in
            guard session.options.access != .readOnly else {
                throw Fault(.readOnly, "the store was opened for reading only")
            }
            let now = session.options.clock.now()
            return try session.observe(operation) { () throws(Fault) in
                try session.transaction(waiting: true) { () throws(Fault) in try body(session, now) }
            }
        }
    }

    /// Runs work as one transaction: all of it is kept or, if `work` throws, nothing. What may be done in it is handed
    /// to the work.
    ///
    /// ```swift
    /// try store.transaction { transaction in
    ///     let open = try transaction.count(.exact(path: "state", matchKey: "open"), in: "tasks")
    ///     try transaction.upsert(value: Task(state: open < 10 ? "open" : "waiting"), into: "tasks")
    /// }
    /// ```
    ///
    /// Other writers wait; readers see the state before. Calls of the store that this thread makes inside `work` are
    /// part of the transaction, calls from other threads are not. The work is not `async`: a suspended one would hold
    /// the write lock for as long as it likes.
    ///
    /// A call inside that throws has changed nothing, and `work` may catch its fault and go on. Some failures (a full
    /// disk, I/O, memory) make SQLite roll the whole transaction back by itself: then every further call inside throws
    /// that first fault, and so does `transaction`, whatever `work` does with it.
    ///
    /// - Throws: what `work` throws; `diskFull`, `inputOutput`, `limitExceeded` if the transaction was lost with it;
    ///   `busy`, `readOnly`.
    @discardableResult
    public func transaction<R>(_ work: (borrowing StoreTransaction) throws -> R) throws -> R {
        var thrown: (any Error)?
        do {
            return try connections.write { (session, _) throws(Fault) in
                guard session.options.access != .readOnly else {
                    throw Fault(.readOnly, "the store was opened for reading only")
                }
                return try session.transaction { () throws(Fault) in
                    do {
                        return try work(StoreTransaction(store: self, session: session))
                    } catch {
                        thrown = error
                        throw error as? Fault ?? Self.ownError
                    }
                }
            }
        } catch {
            // An error of the caller's own work is thrown unchanged, unless the transaction was lost with another fault
            // before.
            guard let thrown, error == thrown as? Fault ?? Self.ownError else {
                throw error
            }
            throw thrown
        }
    }

    /// Runs several calls that this thread makes inside `work` as one transaction, by the rules of the form whose work
    /// has a parameter.
    ///
    /// - Throws: as the form whose work has a parameter.
    @available(*, deprecated, message: "give the work a parameter: transaction { transaction in }")
    @discardableResult
    public func transaction<R>(_ work: () throws -> R) throws -> R {
        try transaction { (_: borrowing StoreTransaction) in try work() }
    }

    private static var ownError: Fault { Fault(.closed, "the work of a transaction threw") }
}
