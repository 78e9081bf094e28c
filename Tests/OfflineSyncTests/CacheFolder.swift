import OfflineStore
import OfflineSync
import SQLiteAccess
import TestSupport

/// A new folder with a store that has the caches `accounts` and `originals`, and a service in memory.
struct CacheFolder {
    let folder: TemporaryFolder
    let store: SmartStore
    let cache: RecordCache
    let originals: RecordCache
    let remote = MemoryRemote()

    init(_ backEnd: BackEnd = .plain) throws {
        let folder = try TemporaryFolder()
        var options = StoreOptions(
            library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
        // The folder stays for as long as the store.
        options.clock = StoreClock { withExtendedLifetime(folder) { 1_600_000_000_000 } }
        options.settings.durability = .relaxed
        self.folder = folder
        store = try SmartStore(path: folder.file("store.db"), options: options)
        cache = RecordCache(store, soup: "accounts")
        originals = RecordCache(store, soup: "originals")
        try cache.register()
        try originals.register()
    }

    var accounts: CachedRemote { CachedRemote(remote, cache: cache, originals: originals, uuids: .counting()) }
}

/// The code of the fault that work throws; nil if it throws none.
func faultCode(_ work: () async throws -> Void) async -> Fault.Code? {
    do {
        try await work()
        return nil
    } catch {
        return (error as? Fault)?.code
    }
}

/// The lists of the conflict that work throws; nil if it throws none.
func conflict(_ work: () async throws -> Void) async throws -> ConflictReport? {
    do {
        try await work()
        return nil
    } catch let conflict as MergeConflict {
        return conflict.report
    }
}
