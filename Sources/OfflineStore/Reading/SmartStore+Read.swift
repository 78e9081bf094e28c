import SQLiteAccess
import Soups

extension SmartStore {
    /// Runs work on one state of the store: what is committed in the meantime is not seen.
    ///
    /// ```swift
    /// let (contacts, tasks) = try store.read { reader in
    ///     (try reader.entries(.all(), in: "contacts"), try reader.count(.all(), in: "tasks"))
    /// }
    /// ```
    ///
    /// The state is fixed before `body` begins. It holds one of `maximumReaders` connections; while it lasts, the -wal
    /// cannot be emptied beyond that state. Inside `transaction` of the same thread it sees what the transaction has
    /// written. Many reads in one call are faster than a call for each.
    ///
    /// If an entry in a file of its own is changed while `body` reads it, `body` runs again in a newer state. It also
    /// does if another process alters a soup that it asks for, once that is done, and when ``StoreReader/commit`` is
    /// asked for the first time since the store was opened.
    ///
    /// - Throws: what `body` throws; `closed`; `busy` if the file is locked for longer than the busy timeout, and for
    ///   work that writes inside it where the store has one connection only.
    public func read<R>(_ body: (borrowing StoreReader) throws -> R) throws -> R { try read(nil, body) }

    /// Runs work on one state of the store as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func read<R: Sendable>(_ body: @escaping @Sendable (borrowing StoreReader) throws -> R) async throws -> R {
        try await connections.perform(.reading) { try self.read(nil, body) }
    }

    /// Runs work on one state, and notes what it touches.
    func read<R>(_ recorder: TouchRecorder?, _ body: (borrowing StoreReader) throws -> R) throws -> R {
        let (result, lacksCommit) = try readOnce(recorder, body)
        guard lacksCommit else {
            return result
        }
        // From now on the number of a state is known before the state is fixed. If it cannot be asked for, the number
        // that the work has got counts as changed.
        try? connections.write { (session, _) throws(Fault) in _ = try session.commits.ask(session.connection) }
        return try readOnce(recorder, body).result
    }

    /// Runs work on one state. `lacksCommit`: it asked for the number of that state, which was not known.
    private func readOnce<R>(
        _ recorder: TouchRecorder?, _ body: (borrowing StoreReader) throws -> R
    ) throws -> (result: R, lacksCommit: Bool) {
        var own: (any Error)?
        do {
            return try reading { (session) throws(Fault) in
                own = nil
                recorder?.touched = TouchedSoups()
                do {
                    let result = try body(StoreReader(session, recorder))
                    return (result, session.attempt.lacksCommit)
                } catch {
                    own = error
                    throw error as? Fault ?? Self.ownReadingError
                }
            }
        } catch {
            // An error of the caller's own work is thrown unchanged.
            guard let own, error == own as? Fault ?? Self.ownReadingError else {
                throw error
            }
            throw own
        }
    }

    private static var ownReadingError: Fault { Fault(.closed, "the work of a read threw") }
}
