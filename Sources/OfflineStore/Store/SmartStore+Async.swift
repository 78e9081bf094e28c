public import JSONText
public import Soups

// The same calls for asynchronous code. They wait suspended, run on threads of the store's own, do what their blocking
// forms of the same name do and throw the same faults, and `CancellationError` in addition.
extension SmartStore {
    /// Registers a soup as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func registerSoup(_ name: String, indexSpecs: [IndexSpec]) async throws -> String {
        try await connections.perform(.writing) { try self.registerSoup(name, indexSpecs: indexSpecs) }
    }

    /// Registers a soup with features as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func registerSoup(_ spec: SoupSpec, indexSpecs: [IndexSpec]) async throws -> String {
        try await connections.perform(.writing) { try self.registerSoup(spec, indexSpecs: indexSpecs) }
    }

    /// Removes a soup as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func removeSoup(_ name: String) async throws {
        try await connections.perform(.writing) { try self.removeSoup(name) }
    }

    /// Removes all entries of a soup as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func clearSoup(_ name: String) async throws {
        try await connections.perform(.writing) { try self.clearSoup(name) }
    }

    /// Changes the specs of a soup as the blocking form does, on a thread of the store.
    ///
    /// A cancelled alteration stops in its step. Finished steps stay: the soup answers `busy` until
    /// `resumeAlterations`, or the next opening for writing, has done the others. If no step is finished, the soup
    /// stays as it was.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func alterSoup(
        _ name: String, soupSpec: SoupSpec? = nil, indexSpecs: [IndexSpec], reIndexData: Bool = true,
        fullTextIndexes: Bool? = nil, progress: (@Sendable (AlterationProgress) -> Void)? = nil
    ) async throws -> String {
        try await connections.perform(.writing) {
            try self.alterSoup(
                name, soupSpec: soupSpec, indexSpecs: indexSpecs, reIndexData: reIndexData,
                fullTextIndexes: fullTextIndexes, progress: progress)
        }
    }

    /// Computes columns from the entries as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func reIndexSoup(
        _ name: String, paths: [String], progress: (@Sendable (_ done: Int, _ total: Int) -> Void)? = nil
    ) async throws -> String {
        try await connections.perform(.writing) { try self.reIndexSoup(name, paths: paths, progress: progress) }
    }

    /// Stores entries as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func upsert(
        _ entries: [[UInt8]], into soup: String, externalIdPath: String? = nil
    ) async throws -> [[UInt8]] {
        try await connections.perform(.writing) { try self.upsert(entries, into: soup, externalIdPath: externalIdPath) }
    }

    /// Stores entries and returns their ids as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func upsertIds(
        _ entries: [[UInt8]], into soup: String, externalIdPath: String? = nil
    ) async throws -> [Int64] {
        try await connections.perform(.writing) {
            try self.upsertIds(entries, into: soup, externalIdPath: externalIdPath)
        }
    }

    /// Stores entries given as JSON values as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func upsert(
        _ entries: [JSONValue], into soup: String, externalIdPath: String? = nil
    ) async throws -> [JSONValue] {
        try await connections.perform(.writing) { try self.upsert(entries, into: soup, externalIdPath: externalIdPath) }
    }

    /// Removes entries by id as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func remove(ids: [Int64], from soup: String) async throws {
        try await connections.perform(.writing) { try self.remove(ids: ids, from: soup) }
    }

    /// Removes every match of a query as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func remove(matching spec: QuerySpec, from soup: String) async throws -> Int {
        try await connections.perform(.writing) { try self.remove(matching: spec, from: soup) }
    }

    /// Reads entries by id as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func retrieve(ids: [Int64], from soup: String) async throws -> [[UInt8]] {
        try await connections.perform(.reading) { try self.retrieve(ids: ids, from: soup) }
    }

    /// Reads one entry as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func retrieve(id: Int64, from soup: String) async throws -> [UInt8]? {
        try await connections.perform(.reading) { try self.retrieve(id: id, from: soup) }
    }

    /// Runs a query as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func query(_ spec: QuerySpec, soup: String) async throws -> StoreCursor {
        try await connections.perform(.reading) { try self.query(spec, soup: soup) }
    }

    /// Counts the matches of a query as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func count(_ spec: QuerySpec, soup: String) async throws -> Int {
        try await connections.perform(.reading) { try self.count(spec, soup: soup) }
    }

    /// Stores a file of JSON lines as the blocking form does, on threads of the store: other writers are admitted
    /// between its transactions.
    ///
    /// When the task is cancelled, finished transactions stay, as `progress` reported, and the current one is rolled
    /// back.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func load(
        jsonLines path: String, into soup: String, externalIdPath: String? = nil, entriesPerTransaction: Int = 1000,
        progress: (@Sendable (LoadProgress) -> Void)? = nil
    ) async throws -> LoadProgress {
        let loading = Loading(
            try ByteSource(file: path), into: soup, externalIdPath: externalIdPath,
            entriesPerTransaction: entriesPerTransaction)
        do {
            while !loading.isOver {
                try await connections.perform(.writing) {
                    try loading.storeNext(in: self)
                    progress?(loading.done)
                }
            }
        } catch {
            try? await connections.performToTheEnd(.writing) { try loading.end(in: self) }
            throw error
        }
        return loading.done
    }

    /// Runs work as one transaction as the blocking form does, on a thread of the store. What may be done in it is
    /// handed to the work.
    ///
    /// Once the task is cancelled, every further call in `work` throws, and the transaction is rolled back, whatever
    /// `work` does with that error. `work` itself is not stopped: if it takes long without calling the store, it should
    /// check `Task.isCancelled`.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func transaction<R: Sendable>(
        _ work: @escaping @Sendable (borrowing StoreTransaction) throws -> R
    ) async throws -> R {
        try await connections.perform(.writing) { try self.transaction(work) }
    }

    /// Runs several calls as one transaction on a thread of the store: the blocking calls that `work` makes there are
    /// the transaction. Its rules are those of the form whose work has a parameter.
    ///
    /// - Throws: as the form whose work has a parameter.
    @available(*, deprecated, message: "give the work a parameter: transaction { transaction in }")
    @discardableResult
    public func transaction<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await transaction { (_: borrowing StoreTransaction) in try work() }
    }
}

extension SmartStore {
    /// Runs several calls as one transaction on a thread of the store, to the end: also if the task is cancelled. For
    /// work that must not be lost because its caller has lost interest.
    @discardableResult
    package func writingToTheEnd<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await connections.performToTheEnd(.writing) {
            try self.transaction { (_: borrowing StoreTransaction) in try work() }
        }
    }

    /// Runs calls that read on a thread of the store, to the end: also if the task is cancelled.
    package func readingToTheEnd<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await connections.performToTheEnd(.reading) { try work() }
    }
}

extension StoreCursor {
    /// Counts the matches as ``totalEntries`` does, on a thread of the store. The totals are known from then on.
    ///
    /// - Throws: also `CancellationError`.
    @discardableResult
    public func countEntries() async throws -> Int {
        try await source.store.connections.perform(.reading) { try self.totalEntries }
    }

    /// Moves on as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. The page shown stays.
    @discardableResult
    public func moveToNextPage() async throws -> StorePage {
        try await source.store.connections.perform(.reading) { try self.moveToNextPage() }
    }

    /// Moves back as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. The page shown stays.
    @discardableResult
    public func moveToPreviousPage() async throws -> StorePage {
        try await source.store.connections.perform(.reading) { try self.moveToPreviousPage() }
    }

    /// Moves to a page by its number as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`. The page shown stays.
    @discardableResult
    public func moveToPage(_ index: Int) async throws -> StorePage {
        try await source.store.connections.perform(.reading) { try self.moveToPage(index) }
    }
}

extension SmartStore {
    /// Runs calls that read on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    package func reading<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await connections.perform(.reading, work)
    }

    /// Runs several calls as one transaction on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    package func writing<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await transaction { (_: borrowing StoreTransaction) in try work() }
    }
}
