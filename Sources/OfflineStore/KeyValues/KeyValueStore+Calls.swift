import SQLiteAccess
import Soups

extension KeyValueStore {
    /// Runs one reading call, which sees one state as long as its first statement is not reset.
    func reading<R>(_ body: (_ session: StoreSession) throws(Fault) -> R) throws(Fault) -> R {
        try connections.read { (session) throws(Fault) in try body(session) }
    }

    /// Runs one writing call: the writer's lock, a transaction (a savepoint inside `transaction`), the time of the
    /// call, an event.
    func writing<R>(
        _ operation: StoreEvent.Operation,
        _ body: (_ session: StoreSession, _ now: Int64) throws(Fault) -> Reported<R>
    ) throws(Fault) -> R {
        defer { watchers.tellCommitted() }
        return try connections.write { (session, _) throws(Fault) in
            try session.requireWritable()
            let now = session.options.clock.now()
            return try session.observe(operation) { () throws(Fault) in
                try session.transaction { () throws(Fault) in try body(session, now) }
            }
        }
    }

    /// Runs several calls that this thread makes inside `work` as one transaction: all of it is kept or, if `work`
    /// throws, nothing.
    ///
    /// ```swift
    /// try values.transaction {
    ///     try values.set("Ada", for: "name")
    ///     try values.remove("draft")
    /// }
    /// ```
    ///
    /// Other writers wait; readers see the state before. The rules are those of `SmartStore.transaction(_:)`.
    ///
    /// - Throws: what `work` throws; `diskFull`, `inputOutput`, `limitExceeded` if the transaction was lost with it;
    ///   `busy`, `readOnly`.
    @discardableResult
    public func transaction<R>(_ work: () throws -> R) throws -> R {
        defer { watchers.tellCommitted() }
        return try connections.transaction(work)
    }
}

extension StoreEvent.Operation {
    /// A call that stores a value in a key-value store.
    public static let setValue = Self(rawValue: "setValue")
    /// A call that removes values from a key-value store: its rows are the keys removed.
    public static let removeValue = Self(rawValue: "removeValue")
}
