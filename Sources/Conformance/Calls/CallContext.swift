import JSONText
import OfflineOData
import OfflineStore
import OfflineSync
import SQLiteAccess
import Soups
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The state of the calls on one back end: a root folder, the open stores, their cursors, and the clock.
///
/// `@unchecked Sendable`: calls run one after the other. Only a call that timed out can still use the state, and then
/// the back end is not used again.
final class CallContext: @unchecked Sendable {
    let backEnd: BackEnd
    let capabilities: Set<Capability>
    /// Where the stores are; `reset` removes it and creates it again.
    private let root: String
    /// The temporary folder that `root` is in; nil if the caller named a folder, whose stores are kept.
    private let temporary: WorkFolder?
    let directory: StoreDirectory
    /// The keys of stores that are copies of others.
    let copies: CopyKeys
    private let clock: VectorClock
    /// Every store in use, including one that is closed because reopening it failed.
    private var stores: [StoreName: SmartStore] = [:]
    private var cursors: [StoreName: [Int64: StoreCursor]] = [:]
    var transactions: [StoreName: OpenTransaction] = [:]
    private var watched: [StoreName: WatchedChanges] = [:]
    private var watchedKeys: [StoreName: [Int64: KeyValueChanges]] = [:]
    /// The store of the last call about syncs.
    var running: StoreName?
    /// What the calls about synchronisation keep; created again for each case.
    private(set) lazy var sync = makeSync()
    /// The OData clients, and what they were opened with.
    private var offline: [StoreName: (arguments: OfflineArguments, client: ODataClient)] = [:]

    /// - Parameter folder: Where the stores are kept and found again; nil for a temporary folder, which `close`
    ///   removes.
    init(_ backEnd: BackEnd, settings: ConnectionSettings, folder: String?) throws(Fault) {
        let library = try backEnd.library()
        let clock = VectorClock()
        // A raw key needs no slow key derivation, and only test data are encrypted with it.
        let key = backEnd.isKeyed ? try Key(raw: (0..<32).map { 7 &+ UInt8($0) }) : nil
        self.backEnd = backEnd
        self.clock = clock
        capabilities = Self.capabilities(of: library)
        temporary = folder == nil ? try WorkFolder() : nil
        // A folder of its own inside the one given: `reset` removes it whole.
        root = (temporary?.path ?? folder ?? ".") + "/soup-stores"
        let copies = CopyKeys()
        self.copies = copies
        directory = try StoreDirectory(root: root, user: "vectors") { name in
            var options = StoreOptions(library: library, key: copies.key(of: name) ?? key)
            options.settings = settings
            // No vector can test a power failure, and with full durability each call would wait for the disk.
            options.settings.durability = .relaxed
            // Less than the time limit of a call, so that an endless query still gets an answer.
            options.smartQueryTime = .seconds(2)
            if folder == nil, settings.cipher.kdfIterations == nil {
                // Vectors change keys by passphrases; how long one takes to derive protects nothing in a test folder.
                options.settings.cipher.kdfIterations = 1_000
            }
            options.clock = StoreClock { clock.now }
            return options
        }
        try makeRoot()
    }

    /// The capabilities of a store with this library.
    private static func capabilities(of library: SQLiteLibrary) -> Set<Capability> {
        let library = library.capabilities
        var all = Capability.unnamedBefore.union([
            .externalStorage, .globalStores, .explain, .transactions, .fullTextIndexes,
            .batchReads,
        ])
        if library.fts4 {
            all.insert(.fts4)
        }
        if library.fts5 {
            all.insert(.fts5)
        }
        if library.json1 {
            all.insert(.json1)
        }
        if library.encryption {
            all.insert(.encryption)
        }
        return all.union(ODataCalls.capabilities).union(SOQLCalls.capabilities).union(SyncCalls.capabilities)
            .union(CacheCalls.capabilities).union(KeyValueCalls.capabilities).union(ObservationCalls.capabilities)
            .union(MaintenanceCalls.capabilities).union(UpkeepCalls.capabilities).union(TableCalls.capabilities)
            .union(SoupQueryCalls.capabilities).union(OfflineCalls.capabilities).union(WholeEntryCalls.capabilities)
            .union(AwaitingCalls.capabilities).union(CallerCalls.capabilities)
    }

    /// Runs a call by its name.
    func run(_ name: String, _ arguments: JSONObject) throws(CallFailure) -> JSONValue {
        guard let handler = CallTable.handler(of: name) else {
            throw .fault(Fault(.invalidArguments, "unknown call"))
        }
        defer { if handler.writes { clock.advance() } }
        do {
            let arguments = CallArguments(arguments)
            // Every call takes these two, also one that needs no store.
            _ = try arguments.optionalText("storeName")
            _ = try arguments.flag("isGlobalStore", default: false)
            guard handler.joinsTransactions, let transaction = openTransaction(arguments) else {
                return try handler.work(self, arguments)
            }
            return try transaction.run { () throws(Fault) in try handler.work(self, arguments) }
        } catch {
            throw .fault(FaultReadings.checked(error))
        }
    }

    /// A path for a file of lines, for the time of a call.
    var linesFile: String { root + "/lines.jsonl" }

    /// Writes bytes to a file for some work with it, and removes the file.
    func withFile<R>(of bytes: [UInt8], _ work: (String) throws(Fault) -> R) throws(Fault) -> R {
        let path = linesFile
        guard FileManager.default.createFile(atPath: path, contents: Data(bytes)) else {
            throw Fault(.inputOutput, "cannot write a file for a call")
        }
        defer { try? FileManager.default.removeItem(atPath: path) }
        return try work(path)
    }

    /// Removes all stores and resets the clock.
    func reset() throws(Fault) {
        endWork()
        try removeStores()
        closeAll()
        clock.reset()
        sync = makeSync()
        copies.removeAll()
        offline = [:]
        try? FileManager.default.removeItem(atPath: root)
        try makeRoot()
    }

    private func makeRoot() throws(Fault) {
        do {
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        } catch {
            throw Fault(.inputOutput, "cannot create the folder of the stores")
        }
    }

    func close() {
        closeAll()
        removeFiles()
    }

    func removeFiles() { temporary?.remove() }

    /// Removes the stores as an app does, and requires that no store is left.
    private func removeStores() throws(Fault) {
        try? directory.logOut()
        try? directory.removeAll(global: true)
        try? directory.removeAllKeyValueStores(global: true)
        let left = [false, true].flatMap { isGlobal in
            directory.names(global: isGlobal) + directory.keyValueStoreNames(global: isGlobal)
        }
        guard left.isEmpty else {
            throw Fault(.inputOutput, "stores are left after all were removed: \(left.count)")
        }
    }

    private func endWork() {
        for transaction in transactions.values {
            try? transaction.end(.rollback)
        }
        transactions = [:]
        sync.abandonAll()
    }

    private func closeAll() {
        endWork()
        // The files are removed even if a store cannot be closed.
        try? directory.close()
        stores = [:]
        cursors = [:]
        watched = [:]
        watchedKeys = [:]
    }
}

// MARK: - Stores
extension CallContext {
    typealias StoreName = StoreDirectory.StoreName

    /// The store of a call. It is opened or created if necessary.
    func store(_ arguments: CallArguments) throws(Fault) -> SmartStore { try store(storeName(arguments)) }

    /// The store of a name. It is opened or created if necessary.
    func store(_ name: StoreName) throws(Fault) -> SmartStore {
        if let store = stores[name] {
            return store
        }
        let store = try directory.store(name)
        stores[name] = store
        return store
    }

    /// The store of a call. A named store must exist; only the default store is created.
    func existingStore(_ arguments: CallArguments) throws(Fault) -> SmartStore {
        let name = try storeName(arguments)
        let isThere = try directory.exists(name)
        guard isThere || arguments.value("storeName") == nil else {
            throw Fault(.storeNotFound, "unknown store; open it first", context: [.store(name.name)])
        }
        return try store(arguments)
    }

    /// The names of the existing stores in the form of the contract.
    func storeList(global: Bool) -> JSONValue {
        .array(directory.names(global: global).map { ["storeName": .string($0), "isGlobalStore": .bool(global)] })
    }

    func removeStore(_ arguments: CallArguments) throws(Fault) {
        let name = try storeName(arguments)
        try requireNoTransaction(arguments)
        try directory.remove(name)
        copies.forget(name)
        stores[name] = nil
        forget(name)
    }

    private func forget(_ name: StoreName) {
        endAll(of: name)
        sync.forget(name)
    }

    /// Ends the cursors, the handles, the manager of syncs and the OData client of a store that was closed.
    func endAll(of name: StoreName) {
        sync.abandon(name)
        cursors[name] = nil
        watched[name] = nil
        offline[name] = nil
    }

    func removeAllStores(global: Bool) throws(Fault) {
        guard !transactions.keys.contains(where: { $0.isGlobal == global }) else {
            throw Self.inTransaction
        }
        try directory.removeAll(global: global)
        copies.forgetAll(global: global)
        for name in stores.keys where name.isGlobal == global {
            forget(name)
        }
        stores = stores.filter { $0.key.isGlobal != global }
    }

    func storeName(_ arguments: CallArguments) throws(Fault) -> StoreName {
        StoreName(
            try arguments.optionalText("storeName") ?? StoreDirectory.defaultStoreName,
            isGlobal: try arguments.flag("isGlobalStore", default: false))
    }
}

// MARK: - Transactions
extension CallContext {
    private static let inTransaction = Fault(.busy, "a store has an open transaction: commit it or roll it back first")

    func beginTransaction(_ arguments: CallArguments) throws(Fault) {
        try requireNoTransaction(arguments)
        transactions[try storeName(arguments)] = try OpenTransaction(of: store(arguments))
    }

    /// Ends the open transaction, which is over whether that succeeds or not.
    func endTransaction(_ end: OpenTransaction.End, _ arguments: CallArguments) throws(Fault) {
        guard let transaction = transactions.removeValue(forKey: try storeName(arguments)) else {
            throw Fault(.closed, "the store has no open transaction: begin one first")
        }
        try transaction.end(end)
    }

    func requireNoTransaction(_ arguments: CallArguments) throws(Fault) {
        try requireNoTransaction(storeName(arguments))
    }

    func requireNoTransaction(_ name: StoreName) throws(Fault) {
        guard transactions[name] == nil else {
            throw Self.inTransaction
        }
    }

    /// The open transaction of the store that a call names. A name of the wrong type is left to the call, which says
    /// what is wrong with it.
    func openTransaction(_ arguments: CallArguments) -> OpenTransaction? {
        guard !transactions.isEmpty, let name = try? storeName(arguments) else { return nil }
        return transactions[name]
    }
}

// MARK: - Synchronisation
extension CallContext {
    private func makeSync() -> SyncSession {
        let service = ScriptedService(
            makeCalls: { [unowned self] (calls) throws(Fault) in try makeMeanwhile(calls) },
            kill: { [unowned self] in
                if let name = running {
                    sync.abandon(name)
                    try? stores[name]?.close()
                }
            })
        return SyncSession(service)
    }

    /// The sync manager of a call's store.
    ///
    /// - Throws: `busy` while the store has an open transaction, for which a manager would wait.
    func manager(_ arguments: CallArguments) throws(Fault) -> SyncManager {
        try requireNoTransaction(arguments)
        try noteRunning(arguments)
        return try sync.manager(of: storeName(arguments), store: store(arguments))
    }

    /// Notes the store of a call that asks the service: a scripted kill of the process closes this store.
    func noteRunning(_ arguments: CallArguments) throws(Fault) { running = try storeName(arguments) }

    /// Opens a store and its manager again after a scripted kill. The old ones are dropped without being closed.
    func reopenAfterCrash(_ arguments: CallArguments) throws(Fault) {
        let name = try storeName(arguments)
        try requireNoTransaction(arguments)
        let store = try store(arguments)
        sync.abandon(name)
        cursors[name] = nil
        try store.reopen()
        // A store without a soup of syncs does not get one here.
        if try store.soupExists("syncs_soup") {
            _ = try sync.manager(of: name, store: store)
        }
    }

    /// Opens the OData client of a call's store, in place of the one that is open.
    func openOffline(_ arguments: CallArguments) throws(Fault) -> ODataClient {
        try requireNoTransaction(arguments)
        var given = try OfflineArguments(arguments)
        given.options.uuids = sync.uuids
        let name = try storeName(arguments)
        let client = try ODataClient(
            store(arguments), serviceRoot: given.serviceRoot, transport: sync.service, map: given.map,
            options: given.options)
        offline[name] = (given, client)
        return client
    }

    /// The open OData client of a call's store.
    func offlineClient(_ arguments: CallArguments) throws(Fault) -> ODataClient {
        let name = try storeName(arguments)
        running = name
        guard let client = offline[name]?.client else {
            throw Fault(.invalidArguments, "no OData client is open: call offline.open first")
        }
        return client
    }

    /// Opens a store and its OData client again, which are dropped without a word, or were.
    func reopenOffline(_ arguments: CallArguments) throws(Fault) {
        let name = try storeName(arguments)
        try requireNoTransaction(arguments)
        guard let opened = offline.removeValue(forKey: name) else {
            throw Fault(.invalidArguments, "no OData client is open: call offline.open first")
        }
        let store = try store(arguments)
        sync.abandon(name)
        cursors[name] = nil
        try store.reopen()
        let client = try ODataClient(
            store, serviceRoot: opened.arguments.serviceRoot, transport: sync.service, map: opened.arguments.map,
            options: opened.arguments.options)
        offline[name] = (opened.arguments, client)
    }

    /// The member with the key of the records of a soup.
    func keyField(_ soup: String, _ arguments: CallArguments) throws(Fault) -> String {
        sync.keyField(of: soup, in: try storeName(arguments))
    }

    func keep(keyField: String, of soup: String, _ arguments: CallArguments) throws(Fault) {
        sync.keep(keyField: keyField, of: soup, in: try storeName(arguments))
    }

    /// The record cache of a call.
    func cache(_ arguments: CallArguments) throws(Fault) -> RecordCache {
        let soup = try arguments.soupName()
        return RecordCache(try store(arguments), soup: soup, keyField: try keyField(soup, arguments))
    }
}

// MARK: - Cursors
extension CallContext {
    /// Keeps a cursor until the cursor or its store is closed.
    func keep(_ cursor: StoreCursor, _ arguments: CallArguments) throws(Fault) -> StoreCursor {
        cursors[try storeName(arguments), default: [:]][Int64(cursor.cursorId)] = cursor
        return cursor
    }

    /// The open cursor of a call. Throws `invalidCursor` for an unknown one.
    func cursor(_ arguments: CallArguments) throws(Fault) -> StoreCursor {
        guard let id = arguments.value("cursorId")?.int64, let cursor = cursors[try storeName(arguments)]?[id] else {
            throw Fault(.invalidCursor, "unknown cursor; it was closed or never opened")
        }
        return cursor
    }

    func closeCursor(_ arguments: CallArguments) throws(Fault) {
        let cursor = try cursor(arguments)
        try store(arguments).requireOpen()
        cursor.close()
        cursors[try storeName(arguments)]?[Int64(cursor.cursorId)] = nil
    }
}

// MARK: - Watching
extension CallContext {
    /// Keeps changes until their store is removed, and returns the handle.
    func keep(_ changes: StoreChanges, _ arguments: CallArguments) throws(Fault) -> Int64 {
        watched[try storeName(arguments), default: WatchedChanges()].keep(changes)
    }

    /// The changes of a handle; `invalidArguments` if the store has no such handle.
    func changes(_ arguments: CallArguments) throws(Fault) -> StoreChanges {
        let handle = try arguments.integer("handle")
        guard let changes = watched[try storeName(arguments)]?[handle] else {
            throw Fault(.invalidArguments, "unknown handle: watch the store with store.changes first")
        }
        return changes
    }

    /// Keeps the changes of a key-value store until it is removed, and returns the handle.
    func keep(_ changes: KeyValueChanges, _ arguments: CallArguments) throws(Fault) -> Int64 {
        let name = try storeName(arguments)
        let handle = Int64(watchedKeys[name]?.count ?? 0) + 1
        watchedKeys[name, default: [:]][handle] = changes
        return handle
    }

    /// The changes of a handle; `invalidArguments` if the key-value store has no such handle.
    func keyValueChanges(_ arguments: CallArguments) throws(Fault) -> KeyValueChanges {
        let handle = try arguments.integer("handle")
        guard let changes = watchedKeys[try storeName(arguments)]?[handle] else {
            throw Fault(.invalidArguments, "unknown handle: watch the store with kv.changes first")
        }
        return changes
    }

    /// Forgets what watches a key-value store that was removed, and requires that it has ended.
    func forgetKeyValueChanges(_ arguments: CallArguments) throws(Fault) {
        let ended = watchedKeys.removeValue(forKey: try storeName(arguments)) ?? [:]
        for changes in ended.values {
            // Changes that were not taken come as one.
            let rest = try SyncCalls.awaiting {
                var rest = 0
                for await _ in changes {
                    rest += 1
                }
                return rest
            }
            guard rest <= 1 else { throw EntryReadings.disagreement("after the end of a store") }
        }
    }
}
