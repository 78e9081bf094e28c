public import JSONText
public import Soups

// The same calls for asynchronous code: they wait on threads of the store's own, and do and throw what their blocking
// forms do. Both forms have one name: the links tell the blocking one by DocC's suffix, without which they would lead
// back to where they stand.
extension SmartStore {
    /// Registers a soup as the blocking ``registerSoup(_:indexSpecs:)-7niu8`` does, on a thread of the store.
    @discardableResult
    public func registerSoup(_ name: String, indexSpecs: [IndexSpec]) async throws(Fault) -> String {
        try await BlockingThreads.run { () throws(Fault) in try self.registerSoup(name, indexSpecs: indexSpecs) }
    }

    /// Registers a soup with features as the blocking ``registerSoup(_:indexSpecs:)-6fcm9`` does, on a thread of the
    /// store.
    @discardableResult
    public func registerSoup(_ spec: SoupSpec, indexSpecs: [IndexSpec]) async throws(Fault) -> String {
        try await BlockingThreads.run { () throws(Fault) in try self.registerSoup(spec, indexSpecs: indexSpecs) }
    }

    /// Removes a soup as the blocking ``removeSoup(_:)-59132`` does, on a thread of the store.
    public func removeSoup(_ name: String) async throws(Fault) {
        try await BlockingThreads.run { () throws(Fault) in try self.removeSoup(name) }
    }

    /// Removes all entries of a soup as the blocking ``clearSoup(_:)-1nxm3`` does, on a thread of the store.
    public func clearSoup(_ name: String) async throws(Fault) {
        try await BlockingThreads.run { () throws(Fault) in try self.clearSoup(name) }
    }

    /// Changes the specs of a soup as the blocking ``alterSoup(_:soupSpec:indexSpecs:reIndexData:progress:)-3a4jo``
    /// does, on a thread of the store.
    @discardableResult
    public func alterSoup(
        _ name: String, soupSpec: SoupSpec? = nil, indexSpecs: [IndexSpec], reIndexData: Bool = true,
        progress: (@Sendable (AlterationProgress) -> Void)? = nil
    ) async throws(Fault) -> String {
        try await BlockingThreads.run { () throws(Fault) in
            try self.alterSoup(
                name, soupSpec: soupSpec, indexSpecs: indexSpecs, reIndexData: reIndexData, progress: progress)
        }
    }

    /// Computes columns anew as ``reIndexSoup(_:paths:progress:)`` does, on a thread of the store.
    @discardableResult
    public func reIndexSoup(_ name: String, paths: [String]) async throws(Fault) -> String {
        try await BlockingThreads.run { () throws(Fault) in try self.reIndexSoup(name, paths: paths) }
    }

    /// Stores entries as the blocking ``upsert(_:into:externalIdPath:)-5s1op`` does, on a thread of the store.
    @discardableResult
    public func upsert(
        _ entries: [[UInt8]], into soup: String, externalIdPath: String? = nil
    ) async throws(Fault) -> [[UInt8]] {
        try await BlockingThreads.run { () throws(Fault) in
            try self.upsert(entries, into: soup, externalIdPath: externalIdPath)
        }
    }

    /// Stores entries given as JSON values as the blocking ``upsert(_:into:externalIdPath:)-44no4`` does, on a thread
    /// of the store.
    @discardableResult
    public func upsert(
        _ entries: [JSONValue], into soup: String, externalIdPath: String? = nil
    ) async throws(Fault) -> [JSONValue] {
        try await BlockingThreads.run { () throws(Fault) in
            try self.upsert(entries, into: soup, externalIdPath: externalIdPath)
        }
    }

    /// Removes entries by id as the blocking ``remove(ids:from:)-8ewi5`` does, on a thread of the store.
    public func remove(ids: [Int64], from soup: String) async throws(Fault) {
        try await BlockingThreads.run { () throws(Fault) in try self.remove(ids: ids, from: soup) }
    }

    /// Removes every match of a query as the blocking ``remove(matching:from:)-4u8lh`` does, on a thread of the store.
    @discardableResult
    public func remove(matching spec: QuerySpec, from soup: String) async throws(Fault) -> Int {
        try await BlockingThreads.run { () throws(Fault) in try self.remove(matching: spec, from: soup) }
    }

    /// Reads entries by id as the blocking ``retrieve(ids:from:)-6amcz`` does, on a thread of the store.
    public func retrieve(ids: [Int64], from soup: String) async throws(Fault) -> [[UInt8]] {
        try await BlockingThreads.run { () throws(Fault) in try self.retrieve(ids: ids, from: soup) }
    }

    /// Reads one entry as the blocking ``retrieve(id:from:)-1knst`` does, on a thread of the store.
    public func retrieve(id: Int64, from soup: String) async throws(Fault) -> [UInt8]? {
        try await BlockingThreads.run { () throws(Fault) in try self.retrieve(id: id, from: soup) }
    }

    /// Runs a query as the blocking ``query(_:soup:)-5xqlb`` does, on a thread of the store.
    public func query(_ spec: QuerySpec, soup: String) async throws(Fault) -> StoreCursor {
        try await BlockingThreads.run { () throws(Fault) in try self.query(spec, soup: soup) }
    }

    /// Counts the matches of a query as the blocking ``count(_:soup:)-50f4r`` does, on a thread of the store.
    public func count(_ spec: QuerySpec, soup: String) async throws(Fault) -> Int {
        try await BlockingThreads.run { () throws(Fault) in try self.count(spec, soup: soup) }
    }

    /// Stores a file of JSON lines as the blocking
    /// ``load(jsonLines:into:externalIdPath:entriesPerTransaction:progress:)-462ev`` does, on a thread of the store.
    @discardableResult
    public func load(
        jsonLines path: String, into soup: String, externalIdPath: String? = nil, entriesPerTransaction: Int = 1000,
        progress: (@Sendable (LoadProgress) -> Void)? = nil
    ) async throws(Fault) -> LoadProgress {
        try await BlockingThreads.run { () throws(Fault) in
            try self.load(
                jsonLines: path, into: soup, externalIdPath: externalIdPath,
                entriesPerTransaction: entriesPerTransaction, progress: progress)
        }
    }

    /// Runs several calls as one as the blocking ``transaction(_:)-1exgi`` does, on a thread of the store: the blocking
    /// calls that `work` makes there are the transaction.
    @discardableResult
    public func transaction<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await BlockingThreads.run { () throws(Fault) in Result { try self.transaction(work) } }.get()
    }
}

extension StoreCursor {
    /// Moves on as the blocking ``moveToNextPage()-2l0yh`` does, on a thread of the store.
    @discardableResult
    public func moveToNextPage() async throws(Fault) -> StorePage {
        try await BlockingThreads.run { () throws(Fault) in try self.moveToNextPage() }
    }

    /// Moves back as the blocking ``moveToPreviousPage()-91ikp`` does, on a thread of the store.
    @discardableResult
    public func moveToPreviousPage() async throws(Fault) -> StorePage {
        try await BlockingThreads.run { () throws(Fault) in try self.moveToPreviousPage() }
    }

    /// Moves to a page by its number as the blocking ``moveToPage(_:)-974wv`` does, on a thread of the store.
    @discardableResult
    public func moveToPage(_ index: Int) async throws(Fault) -> StorePage {
        try await BlockingThreads.run { () throws(Fault) in try self.moveToPage(index) }
    }
}
