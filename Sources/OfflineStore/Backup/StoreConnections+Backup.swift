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
            throw Fault(.busy, "a backup cannot be made inside a transaction, a reading call or another backup")
        }
        return try options.observe(.backup) { () throws(Fault) in
            try withCopySource(cancellation) { (source, options, lock) throws(Fault) in
                // Before the state is fixed that is copied.
                let commit = try presentCommit()
                let copy = try StoreCopy(
                    options, key: key, to: path, commit: commit, cancellation: cancellation, progress: progress)
                return try copy.run(from: source, locking: lock)
            }
        }
    }

    private func presentCommit() throws(Fault) -> CommitNumber {
        if let known = commits.current {
            return known
        }
        return try write { (session, _) throws(Fault) in try session.commits.ask(session.connection) }
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

    /// Gets a connection, the options that it was opened with, and a way to keep writers out for a moment.
    private typealias CopyWork<R> = (
        Connection, StoreOptions, (() throws(Fault) -> Void) throws(Fault) -> Void
    ) throws(Fault) -> R

    /// Lends a connection that nothing else uses.
    private func withCopySource<R>(
        _ cancellation: Cancellation?, _ body: CopyWork<R>
    ) throws(Fault) -> R {
        // Another call may reopen the store in another locking mode while this one waits.
        while true {
            let result =
                options.hasOneConnection
                ? try withWriter(cancellation, body) : try withConnectionForCopy(cancellation, body)
            if let result {
                return result
            }
        }
    }

    /// Lends the writing connection, the only one there may be. Returns nil if there may be others.
    private func withWriter<R>(
        _ cancellation: Cancellation?, _ body: CopyWork<R>
    ) throws(Fault) -> R? {
        try write { (session, _) throws(Fault) in
            guard session.options.hasOneConnection else { return nil }
            return try cancellable(session.connection, cancellation) { () throws(Fault) in
                try body(session.connection, session.options) { (work) throws(Fault) in try work() }
            }
        }
    }

    /// Lends a connection that is opened for the copy. Returns nil if there may be one connection only.
    private func withConnectionForCopy<R>(
        _ cancellation: Cancellation?, _ body: CopyWork<R>
    ) throws(Fault) -> R? {
        gate.enterCopying()
        defer { gate.leaveCopying() }
        try requireOpen()
        // While this thread copies, nothing closes the store or changes its key.
        let options = options
        guard !options.hasOneConnection else { return nil }
        let isReadOnly = options.access == .readOnly
        let source = try Connection(
            path: path, library: options.library, access: isReadOnly ? .readOnly : .readWrite, key: options.key,
            settings: options.settings)
        defer { source.close() }
        source.heed(suspension)
        return try cancellable(source, cancellation) { () throws(Fault) in
            guard !isReadOnly else {
                return try body(source, options) { (work) throws(Fault) in try work() }
            }
            return try body(source, options) { (work) throws(Fault) in
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
}

extension StoreOptions {
    /// Whether the connection that writes is the only one there may be.
    fileprivate var hasOneConnection: Bool { settings.lockingMode == .exclusive && access != .readOnly }
}

extension StoreEvent.Operation {
    /// A backup of a store, from its beginning to the name of the finished copy.
    public static let backup = Self(rawValue: "backup")
}
