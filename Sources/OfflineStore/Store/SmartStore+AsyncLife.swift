public import SQLiteAccess
public import Soups

// The life of a store for asynchronous code: on threads of the store's own, since a key that is derived from a
// passphrase takes hundreds of milliseconds.
extension SmartStore {
    /// Opens a store as `init` does, on a thread of its own.
    ///
    /// ```swift
    /// let store = try await SmartStore.open(path: path, options: options)
    /// ```
    ///
    /// If the task is cancelled before the file is open, nothing stays open; a new file may remain, empty and valid.
    ///
    /// - Throws: as `init`; also `CancellationError`.
    public static func open(path: String, options: StoreOptions) async throws -> SmartStore {
        try await BlockingCalls.run { cancellation in
            let store = try SmartStore(path: path, options: options)
            guard !cancellation.isCancelled else {
                try? store.close()
                throw CancellationError()
            }
            return store
        }
    }

    /// Closes the store as the blocking form does, on a thread of its own. It waits for the calls under way.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before the closing began.
    public func close() async throws { try await connections.perform(.writing) { try self.close() } }

    /// Closes the store and opens it again as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`, if the task was cancelled before it began.
    public func reopen(_ change: @escaping @Sendable (inout StoreOptions) -> Void = { _ in }) async throws {
        try await connections.perform(.writing) { try self.reopen(change) }
    }

    /// Changes the key as the blocking form does, on a thread of the store.
    ///
    /// A cancelled change stops at its next step. What it has copied is removed, and the old key stays valid. Once the
    /// copy has replaced the old file, it completes.
    ///
    /// - Throws: also `CancellationError`.
    public func rekey(to newKey: Key?) async throws {
        try await connections.perform(.writing) { try self.rekey(to: newKey) }
    }

    /// Removes all soups as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func removeAllSoups() async throws { try await connections.perform(.writing) { try self.removeAllSoups() } }

    /// Finishes interrupted alterations as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func resumeAlterations(progress: (@Sendable (AlterationProgress) -> Void)? = nil) async throws {
        try await connections.perform(.writing) { try self.resumeAlterations(progress: progress) }
    }

    /// Registers the soups of a configuration as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func load(_ configuration: StoreConfiguration) async throws -> StoreConfigurationResult {
        try await connections.perform(.writing) { try self.load(configuration) }
    }
}

// MARK: - Questions
extension SmartStore {
    /// Stores the entries of a JSON array as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func upsert(array text: [UInt8], into soup: String, externalIdPath: String? = nil) async throws -> [[UInt8]]
    {
        try await connections.perform(.writing) {
            try self.upsert(array: text, into: soup, externalIdPath: externalIdPath)
        }
    }

    /// Counts the rows of a smart query as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func count(_ spec: QuerySpec, arguments: [SQLValue] = []) async throws -> Int {
        try await connections.perform(.reading) { try self.count(spec, arguments: arguments) }
    }

    /// Asks for the plan of a query as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func explain(_ spec: QuerySpec, soup: String) async throws -> QueryPlan {
        try await connections.perform(.reading) { try self.explain(spec, soup: soup) }
    }

    /// Asks for the plan of a smart query as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func explain(_ spec: QuerySpec, arguments: [SQLValue] = []) async throws -> QueryPlan {
        try await connections.perform(.reading) { try self.explain(spec, arguments: arguments) }
    }

    /// Finds the id of an entry by a value as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func lookupEntryId(inSoup name: String, path: String, value: SQLValue) async throws -> Int64? {
        try await connections.perform(.reading) { try self.lookupEntryId(inSoup: name, path: path, value: value) }
    }

    /// Checks the full text as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func entriesOutOfStepWithFullText(soup name: String) async throws -> [Int64] {
        try await connections.perform(.reading) { try self.entriesOutOfStepWithFullText(soup: name) }
    }
}
