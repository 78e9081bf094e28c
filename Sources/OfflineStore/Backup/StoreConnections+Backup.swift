import SQLiteAccess
import Soups

extension StoreConnections {
    /// Copies one committed state of the store to a new path, while all others go on.
    ///
    /// - Parameter cancellation: The call that asks for it.
    func backup(
        to path: String, key: CopyKey, cancellation: Cancellation?, progress: (@Sendable (CopyProgress) -> Void)?
    ) throws(Fault) -> BackupSummary {
        try requireOpen()
        guard !gate.isInside else {
            throw Fault(.busy, "a backup cannot be made inside a transaction or a reading call")
        }
        let copy = try StoreCopy(options, key: key, to: path, cancellation: cancellation, progress: progress)
        return try options.observe(.backup) { () throws(Fault) in
            try withCopySource(cancellation) { (source, lock) throws(Fault) in
                try copy.run(from: source, locking: lock)
            }
        }
    }

    /// Makes a backup on a thread that may block. A copy that is finished when the task was cancelled is removed.
    func backupSuspended(
        to path: String, key: CopyKey, progress: (@Sendable (CopyProgress) -> Void)?
    ) async throws -> BackupSummary {
        try await BlockingCall.run(
            { cancellation in
                try self.backup(to: path, key: key, cancellation: cancellation, progress: progress)
            }, undo: { _ in StoreCopy.remove(path) })
    }

    /// Lends a connection that nothing else uses, and a way to keep writers out for a moment.
    private func withCopySource<R>(
        _ cancellation: Cancellation?,
        _ body: (Connection, (() throws(Fault) -> Void) throws(Fault) -> Void) throws(Fault) -> R
    ) throws(Fault) -> R {
        let options = options
        if options.access == .readOnly {
            let source = try openForCopy(.readOnly)
            defer { source.close() }
            return try cancellable(source, cancellation) { () throws(Fault) in
                try body(source) { (work) throws(Fault) in try work() }
            }
        }
        // The only connection there may be.
        if options.settings.lockingMode == .exclusive {
            return try write { (session, _) throws(Fault) in
                try cancellable(session.connection, cancellation) { () throws(Fault) in
                    try body(session.connection) { (work) throws(Fault) in try work() }
                }
            }
        }
        let source = try openForCopy(.readWrite)
        defer { source.close() }
        return try cancellable(source, cancellation) { () throws(Fault) in
            try body(source) { (work) throws(Fault) in
                try write { (session, _) throws(Fault) in
                    try session.connection.requireFile()
                    try session.connection.transaction(.immediate, work)
                }
            }
        }
    }

    private func cancellable<R>(
        _ connection: Connection, _ cancellation: Cancellation?, _ work: () throws(Fault) -> R
    ) throws(Fault) -> R {
        guard let cancellation else {
            return try work()
        }
        return try connection.cancellable(by: cancellation, work)
    }

    private func openForCopy(_ access: ConnectionAccess) throws(Fault) -> Connection {
        let options = options
        return try Connection(
            path: path, library: options.library, access: access, key: options.key, settings: options.settings)
    }
}

extension StoreEvent.Operation {
    /// A backup of a store, from its beginning to the name of the finished copy.
    public static let backup = Self(rawValue: "backup")
}
