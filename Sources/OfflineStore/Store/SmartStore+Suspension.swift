import SQLiteAccess
public import Soups

extension SmartStore {
    /// Prepares the store for an app that is about to be suspended: when the call returns, this object has no connection
    /// to the file, and holds no lock of it.
    ///
    /// ```swift
    /// try store.suspend()
    /// // The app comes back.
    /// try store.resume()
    /// ```
    ///
    /// A system may end an app that is suspended with the lock of a file in a shared folder. Calls under way are ended:
    /// statements are interrupted within 10,000 steps of SQLite's virtual machine, and further ones refused. A
    /// transaction that has not begun its COMMIT is rolled back, whatever its work does with the fault; the calls throw
    /// `suspended`, and so do all calls until `resume`. Finished steps of `alterSoup`, `load` and `migrate` stay: an alteration is
    /// finished by `resume`, the others by calling them again. Cursors, watched changes and live queries stay as they
    /// are, and go on after `resume`.
    ///
    /// The call waits for work of the app inside `read` or `transaction` to return, for a change of key, a compaction or
    /// a backup's last step that is under way, and for a call that waits for the lock of another process. Stop the syncs
    /// of the store before: a run that meets a suspended store fails. A suspended store can be suspended again, which
    /// does nothing, and closed. It does nothing for a closed store.
    ///
    /// The first calls after `resume` open the file again; a key that is derived from a passphrase is derived again.
    /// Callable from any thread. What was acknowledged is on the disk, in the file or its -wal.
    ///
    /// - Throws: `busy` if the calling thread is inside a transaction, a reading call or a backup of the store.
    public func suspend() throws(Fault) { try connections.suspend() }

    /// Suspends the store as the blocking form does, on a thread of the store, and throws what that throws. Is not
    /// cancelled.
    public func suspend() async throws {
        try await BlockingCall.runToTheEnd { try self.suspend() }
    }

    /// Lets calls run again after `suspend`, and finishes alterations that were cut. Does nothing if the store is not
    /// suspended.
    ///
    /// Other calls wait until the file is ready; so do those that resume the store too. Those who watch changes are told
    /// that anything may have changed, since other processes may have written.
    ///
    /// - Throws: as opening does, for example `storeNotFound`, or `wrongKey` if another process has changed the key. The
    ///   store is then still suspended, and a later call may succeed. `busy` if the calling thread is inside a
    ///   transaction, a reading call or a backup of the store.
    public func resume() throws(Fault) {
        try connections.resume { () throws(Fault) in try openNow() }
    }

    /// Lets calls run again as the blocking form does, on a thread of the store, and throws what that throws. Is not
    /// cancelled.
    public func resume() async throws {
        try await BlockingCall.runToTheEnd { try self.resume() }
    }

    /// Whether `suspend` was called, and neither `resume` nor `close` since.
    public var isSuspended: Bool { connections.suspension.isRequested }
}
