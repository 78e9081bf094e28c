public import JSONText
public import Soups

// The same calls for asynchronous code: they wait on threads of the store's own. What each does and throws is said beside its blocking form.
extension SmartStore {
    @discardableResult
    public func registerSoup(_ name: String, indexSpecs: [IndexSpec]) async throws(Fault) -> String {
        try await BlockingThreads.run { () throws(Fault) in try self.registerSoup(name, indexSpecs: indexSpecs) }
    }

    @discardableResult
    public func registerSoup(_ spec: SoupSpec, indexSpecs: [IndexSpec]) async throws(Fault) -> String {
        try await BlockingThreads.run { () throws(Fault) in try self.registerSoup(spec, indexSpecs: indexSpecs) }
    }

    public func removeSoup(_ name: String) async throws(Fault) {
        try await BlockingThreads.run { () throws(Fault) in try self.removeSoup(name) }
    }

    public func clearSoup(_ name: String) async throws(Fault) {
        try await BlockingThreads.run { () throws(Fault) in try self.clearSoup(name) }
    }

    @discardableResult
    public func alterSoup(
        _ name: String, soupSpec: SoupSpec? = nil, indexSpecs: [IndexSpec], reIndexData: Bool = true,
        progress: (@Sendable (AlterationProgress) -> Void)? = nil
    ) async throws(Fault) -> String {
        try await BlockingThreads.run { () throws(Fault) in
            try self.alterSoup(name, soupSpec: soupSpec, indexSpecs: indexSpecs, reIndexData: reIndexData, progress: progress)
        }
    }

    @discardableResult
    public func reIndexSoup(_ name: String, paths: [String]) async throws(Fault) -> String {
        try await BlockingThreads.run { () throws(Fault) in try self.reIndexSoup(name, paths: paths) }
    }

    @discardableResult
    public func upsert(_ entries: [[UInt8]], into soup: String, externalIdPath: String? = nil) async throws(Fault) -> [[UInt8]] {
        try await BlockingThreads.run { () throws(Fault) in try self.upsert(entries, into: soup, externalIdPath: externalIdPath) }
    }

    @discardableResult
    public func upsert(_ entries: [JSONValue], into soup: String, externalIdPath: String? = nil) async throws(Fault) -> [JSONValue] {
        try await BlockingThreads.run { () throws(Fault) in try self.upsert(entries, into: soup, externalIdPath: externalIdPath) }
    }

    public func remove(ids: [Int64], from soup: String) async throws(Fault) {
        try await BlockingThreads.run { () throws(Fault) in try self.remove(ids: ids, from: soup) }
    }

    @discardableResult
    public func remove(matching spec: QuerySpec, from soup: String) async throws(Fault) -> Int {
        try await BlockingThreads.run { () throws(Fault) in try self.remove(matching: spec, from: soup) }
    }

    public func retrieve(ids: [Int64], from soup: String) async throws(Fault) -> [[UInt8]] {
        try await BlockingThreads.run { () throws(Fault) in try self.retrieve(ids: ids, from: soup) }
    }

    public func retrieve(id: Int64, from soup: String) async throws(Fault) -> [UInt8]? {
        try await BlockingThreads.run { () throws(Fault) in try self.retrieve(id: id, from: soup) }
    }

    public func query(_ spec: QuerySpec, soup: String) async throws(Fault) -> StoreCursor {
        try await BlockingThreads.run { () throws(Fault) in try self.query(spec, soup: soup) }
    }

    public func count(_ spec: QuerySpec, soup: String) async throws(Fault) -> Int {
        try await BlockingThreads.run { () throws(Fault) in try self.count(spec, soup: soup) }
    }

    @discardableResult
    public func load(
        jsonLines path: String, into soup: String, externalIdPath: String? = nil, entriesPerTransaction: Int = 1000,
        progress: (@Sendable (LoadProgress) -> Void)? = nil
    ) async throws(Fault) -> LoadProgress {
        try await BlockingThreads.run { () throws(Fault) in
            try self.load(
                jsonLines: path, into: soup, externalIdPath: externalIdPath, entriesPerTransaction: entriesPerTransaction, progress: progress)
        }
    }

    /// The work runs on a thread of the store; the blocking calls it makes there are the transaction.
    @discardableResult
    public func transaction<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await BlockingThreads.run { () throws(Fault) in Result { try self.transaction(work) } }.get()
    }
}

extension StoreCursor {
    @discardableResult
    public func moveToNextPage() async throws(Fault) -> StorePage {
        try await BlockingThreads.run { () throws(Fault) in try self.moveToNextPage() }
    }

    @discardableResult
    public func moveToPreviousPage() async throws(Fault) -> StorePage {
        try await BlockingThreads.run { () throws(Fault) in try self.moveToPreviousPage() }
    }

    @discardableResult
    public func moveToPage(_ index: Int) async throws(Fault) -> StorePage {
        try await BlockingThreads.run { () throws(Fault) in try self.moveToPage(index) }
    }
}
