import SQLiteAccess
public import Soups

extension KeyValueStore {
    /// Prepares the store for an app that is about to be suspended, as `SmartStore.suspend()` does: when the call
    /// returns, this object holds no lock of the file, and calls throw `suspended` until `resume`.
    ///
    /// Values that are read or written piece by piece end with `suspended`.
    ///
    /// - Throws: `busy` if the calling thread is inside a call of the store.
    public func suspend() throws(Fault) { try connections.suspend() }

    /// Suspends the store as the blocking form does, on a thread of the store, and throws what that throws. Is not
    /// cancelled.
    public func suspend() async throws {
        try await BlockingCall.runToTheEnd { try self.suspend() }
    }

    /// Lets calls run again after `suspend`. Does nothing if the store is not suspended.
    ///
    /// - Throws: as opening does. The store is then still suspended, and a later call may succeed. `busy` if the calling
    ///   thread is inside a call of the store.
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
