import SQLiteAccess
package import Soups

extension SmartStore {
    /// Reads the store and says what is damaged, in one state and without repairing anything. Runs on a store that was
    /// opened for reading only, too.
    ///
    /// ```swift
    /// let report = try await store.integrityCheck()
    /// let damage = report.findings.map { "\($0.code.rawValue): \($0.count)" }
    /// ```
    ///
    /// Others may write at the same time. Files of external entries that are missing or left over are looked for once
    /// more in later states, for two seconds: a transaction of others that takes longer may still be reported by its
    /// files.
    ///
    /// - Throws: `closed`, `busy`; also `CancellationError`. What cannot be read is a finding.
    public func integrityCheck(_ depth: CheckDepth = .full) async throws -> IntegrityReport {
        try await connections.perform(.reading) { try self.integrityCheckNow(depth) }
    }

    /// Checks the store on the calling thread, which waits.
    package func integrityCheckNow(_ depth: CheckDepth = .full) throws(Fault) -> IntegrityReport {
        try connections.read { (session) throws(Fault) in
            guard !session.connection.isInTransaction, session.options.settings.lockingMode == .shared else {
                return try Self.check(session, depth)
            }
            // A connection of its own: SQLite 3.46 calls a full-text index damaged if another connection has changed it
            // since this one looked.
            let fresh = try connections.openReader()
            defer { fresh.connection.close() }
            let isFrozen = session.options.access == .readOnly && !session.options.settings.readsInPlace
            let others = isFrozen ? nil : connections
            guard let cancellation = session.connection.cancellation else {
                return try Self.check(fresh, depth, others)
            }
            return try fresh.connection.cancellable(by: cancellation) { () throws(Fault) in
                try Self.check(fresh, depth, others)
            }
        }
    }

    private static func check(
        _ session: StoreSession, _ depth: CheckDepth, _ connections: StoreConnections? = nil
    ) throws(Fault) -> IntegrityReport {
        let check = IntegrityCheck(session, depth, connections)
        var isDone = false
        do throws(Fault) {
            try session.connection.transaction(.deferred) { () throws(Fault) in
                try check.run()
                isDone = true
            }
        } catch {
            // A damaged full-text index fails once more when the transaction ends, after it was found.
            guard isDone, error.code == .corrupt else {
                throw error
            }
        }
        return check.report
    }
}
