import Soups

extension StoreDirectory {
    /// Returns a key-value store as the blocking form does, on a thread of its own.
    ///
    /// - Throws: also `CancellationError`. The store may be open by then.
    public func keyValueStore(_ name: StoreName = StoreName()) async throws -> KeyValueStore {
        try await BlockingCall.run { _ in try self.keyValueStore(name) }
    }

    /// Removes a key-value store as the blocking form does, on a thread of its own, and throws what that throws. Is not
    /// cancelled.
    public func removeKeyValueStore(_ name: StoreName) async throws {
        try await BlockingCall.runToTheEnd { try self.removeKeyValueStore(name) }
    }

    /// Removes key-value stores as the blocking form does, on a thread of its own, and throws what that throws. Is not
    /// cancelled.
    public func removeAllKeyValueStores(global: Bool) async throws {
        try await BlockingCall.runToTheEnd { try self.removeAllKeyValueStores(global: global) }
    }
}
