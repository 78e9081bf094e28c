public import SQLiteAccess

// The same calls for asynchronous code. They wait suspended, run on threads of the store's own, do what their blocking
// forms of the same name do and throw the same faults, and `CancellationError` in addition.
extension KeyValueStore {
    /// Opens a store on a thread of its own. Cancelling before the file is open leaves nothing open; a new file may
    /// remain, empty and valid.
    ///
    /// - Throws: as `init`, and `CancellationError`.
    public static func open(path: String, options: StoreOptions) async throws -> KeyValueStore {
        try await BlockingCall.run(
            { _ in try KeyValueStore(path: path, options: options) }, undo: { try? $0.close() })
    }

    /// Closes the store as the blocking form does, on a thread of the store, and throws what that throws. Is not
    /// cancelled.
    public func close() async throws {
        try await BlockingCall.runToTheEnd { try self.close() }
    }

    /// Changes the key as the blocking form does, on a thread of the store, and throws what that throws. Is not
    /// cancelled.
    public func rekey(to newKey: Key?) async throws {
        try await BlockingCall.runToTheEnd { try self.rekey(to: newKey) }
    }

    /// Reads a value as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func data(for key: String) async throws -> [UInt8]? {
        try await connections.perform(.reading) { try self.data(for: key) }
    }

    /// Reads a text as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func string(for key: String) async throws -> String? {
        try await connections.perform(.reading) { try self.string(for: key) }
    }

    /// Reads a Swift value as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func value<Value: Decodable & Sendable>(_ type: Value.Type, for key: String) async throws -> Value? {
        try await connections.perform(.reading) { try self.value(type, for: key) }
    }

    /// Returns whether there is a value as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func contains(_ key: String) async throws -> Bool {
        try await connections.perform(.reading) { try self.contains(key) }
    }

    /// Returns the size of a value as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func size(of key: String) async throws -> Int64? {
        try await connections.perform(.reading) { try self.size(of: key) }
    }

    /// Returns keys as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func keys(prefix: String = "") async throws -> [String] {
        try await connections.perform(.reading) { try self.keys(prefix: prefix) }
    }

    /// Returns the number of keys as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func count() async throws -> Int {
        try await connections.perform(.reading) { try self.count() }
    }

    /// Stores bytes as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func set(_ data: [UInt8], for key: String) async throws {
        try await connections.perform(.writing) { try self.set(data, for: key) }
    }

    /// Stores a text as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func set(_ text: String, for key: String) async throws {
        try await connections.perform(.writing) { try self.set(text, for: key) }
    }

    /// Stores a Swift value as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func set<Value: Encodable & Sendable>(encoding value: Value, for key: String) async throws {
        try await connections.perform(.writing) { try self.set(encoding: value, for: key) }
    }

    /// Removes a key as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func remove(_ key: String) async throws -> Bool {
        try await connections.perform(.writing) { try self.remove(key) }
    }

    /// Removes every key as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func removeAll() async throws {
        try await connections.perform(.writing) { try self.removeAll() }
    }

    /// Runs several calls as one as the blocking form does, on a thread of the store: the blocking calls that `work`
    /// makes there are the transaction.
    ///
    /// - Throws: also `CancellationError`: all is rolled back then.
    @discardableResult
    public func transaction<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await connections.perform(.writing) { try self.transaction(work) }
    }
}
