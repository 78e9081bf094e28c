import JSONText
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
    var stores: [StoreName: SmartStore] = [:]
    var cursors: [StoreName: [Int64: StoreCursor]] = [:]
    var transactions: [StoreName: OpenTransaction] = [:]
    /// The changes of stores that are watched.
    var watched: [StoreName: Handles<StoreChanges>] = [:]
    /// The changes of key-value stores that are watched.
    var watchedKeys: [StoreName: Handles<KeyValueChanges>] = [:]
    /// The states of stores that calls may require.
    var states: [StoreName: Handles<CommitNumber>] = [:]
    /// The store of the last call about syncs.
    var running: StoreName?
    /// What the calls about synchronisation keep; created again for each case.
    private(set) lazy var sync = makeSync()
    /// The OData clients that are open.
    var offline: [StoreName: OpenODataClient] = [:]

    /// - Parameter folder: Where the stores are kept and found again; nil for a temporary folder, which `close`
    ///   removes.
    init(_ backEnd: BackEnd, settings: ConnectionSettings, folder: String?) throws(Fault) {
        let library = try backEnd.library()
        let clock = VectorClock()
        // A raw key needs no slow key derivation, and only test data are encrypted with it.
        let key = backEnd.isKeyed ? try Key(raw: (0..<32).map { 7 &+ UInt8($0) }) : nil
        self.backEnd = backEnd
        self.clock = clock
        capabilities = Capability.all(of: library)
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
        states = [:]
    }
}
