// The same calls for asynchronous code. They run on threads of their own, do what their blocking forms of the same name
// do and throw the same faults. Once begun, they end their work also if the task is cancelled.
extension StoreDirectory {
    /// Returns a store as the blocking form does, on a thread of its own.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before it began.
    public func store(_ store: StoreName = StoreName()) async throws -> SmartStore {
        try await BlockingCalls.run { _ in try self.store(store) }
    }

    /// Closes every open store as the blocking form does, on a thread of its own.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before it began.
    public func close() async throws { try await BlockingCalls.run { _ in try self.close() } }

    /// Suspends every open store as the blocking form does, on a thread of its own. Is not cancelled.
    public func suspend() async throws { try await BlockingCall.runToTheEnd { try self.suspend() } }

    /// Resumes every store as the blocking form does, on a thread of its own. Is not cancelled.
    public func resume() async throws { try await BlockingCall.runToTheEnd { try self.resume() } }

    /// Removes a store as the blocking form does, on a thread of its own.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before it began.
    public func remove(_ store: StoreName) async throws { try await BlockingCalls.run { _ in try self.remove(store) } }

    /// Removes all stores of the user, or all global ones, as the blocking form does, on a thread of its own.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before it began.
    public func removeAll(global: Bool) async throws {
        try await BlockingCalls.run { _ in try self.removeAll(global: global) }
    }

    /// Returns whether a store has a file as the blocking form does, on a thread of its own.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before it began.
    public func exists(_ store: StoreName) async throws -> Bool {
        try await BlockingCalls.run { _ in try self.exists(store) }
    }

    /// Returns the bytes of a store as the blocking form does, on a thread of its own.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before it began.
    public func size(_ store: StoreName) async throws -> Int64 {
        try await BlockingCalls.run { _ in try self.size(store) }
    }

    /// Removes all stores of the user as the blocking form does, on a thread of its own.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before it began.
    public func logOut() async throws { try await BlockingCalls.run { _ in try self.logOut() } }
}
