import FoundationEssentials
import JSONText
import OfflineStore
import Soups
import SQLiteAccess
import Synchronization

/// Keeps what the calls of one back end work on: a root folder, the stores open in it, their cursors, and the clock.
///
/// `@unchecked Sendable`: calls come one after the other, each waits for the one before. Only a call that was given up can still hold it, and then
/// the back end is not used again.
final class CallContext: @unchecked Sendable {
    let backEnd: BackEnd
    let capabilities: Set<Capability>
    private let library: SQLiteLibrary
    private let settings: ConnectionSettings
    private let root: String
    private let clock: VectorClock
    private var openStores: [StoreName: SmartStore] = [:]
    private var cursors: [StoreName: [Int64: StoreCursor]] = [:]

    init(_ backEnd: BackEnd, settings: ConnectionSettings) throws(Fault) {
        self.backEnd = backEnd
        self.settings = settings
        library = try backEnd.library()
        capabilities = Self.capabilities(of: library)
        clock = VectorClock()
        root = FileManager.default.temporaryDirectory.path + "/soup-conform-" + UUID().uuidString
        try reset()
    }

    /// What a store on this library can do.
    private static func capabilities(of library: SQLiteLibrary) -> Set<Capability> {
        let library = library.capabilities
        var all: Set<Capability> = [.externalStorage, .globalStores, .explain]
        if library.fts4 { all.insert(.fts4) }
        if library.fts5 { all.insert(.fts5) }
        if library.json1 { all.insert(.json1) }
        if library.encryption { all.insert(.encryption) }
        return all.union(ODataCalls.capabilities)
    }

    /// Runs a call by its name.
    func run(_ name: String, _ arguments: JSONObject) throws(CallFailure) -> JSONValue {
        guard let handler = CallTable.handler(of: name) else { throw .fault(Fault(.invalidArguments, "there is no such call")) }
        defer { if handler.writes { clock.advance() } }
        do {
            return try handler.work(self, CallArguments(arguments))
        } catch {
            throw .fault(error)
        }
    }

    /// Begins again with nothing: no store at all, the clock at its start.
    func reset() throws(Fault) {
        closeAll()
        clock.reset()
        do {
            try? FileManager.default.removeItem(atPath: root)
            try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        } catch {
            throw Fault(.inputOutput, "the folder of the stores cannot be made")
        }
    }

    func close() {
        closeAll()
        try? FileManager.default.removeItem(atPath: root)
    }

    private func closeAll() {
        for store in openStores.values { try? store.close() }
        openStores = [:]
        cursors = [:]
    }
}

// MARK: - Stores
extension CallContext {
    /// Names a store: those of the user and the global ones are apart.
    struct StoreName: Hashable {
        let name: ByteKey
        let isGlobal: Bool
    }

    /// The store that a call is about, opened or made where that is still to be done.
    func store(_ arguments: CallArguments) throws(Fault) -> SmartStore {
        let name = try storeName(arguments)
        if let store = openStores[name] { return store }
        var options = StoreOptions(library: library, key: backEnd.isKeyed ? try Self.key() : nil)
        options.settings = settings
        options.clock = StoreClock { [clock] in clock.now }
        let file = (name.isGlobal ? "g-" : "u-") + name.name.text.utf8.map { String($0, radix: 16) }.joined()
        let store = try SmartStore(path: root + "/" + file, options: options)
        openStores[name] = store
        return store
    }

    private func storeName(_ arguments: CallArguments) throws(Fault) -> StoreName {
        StoreName(name: ByteKey(try arguments.optionalText("storeName") ?? "defaultStore"), isGlobal: try arguments.flag("isGlobalStore", default: false))
    }

    /// The key of every keyed store: raw, so that no derivation is paid for; it guards nothing but test data.
    private static func key() throws(Fault) -> Key { try Key(raw: (0..<32).map { 7 &+ UInt8($0) }) }
}

// MARK: - Cursors
extension CallContext {
    /// Keeps a cursor until it is closed or its store is.
    func keep(_ cursor: StoreCursor, _ arguments: CallArguments) throws(Fault) -> StoreCursor {
        cursors[try storeName(arguments), default: [:]][Int64(cursor.cursorId)] = cursor
        return cursor
    }

    /// The open cursor that a call is about; anything else is `invalidCursor`.
    func cursor(_ arguments: CallArguments) throws(Fault) -> StoreCursor {
        guard let id = arguments.value("cursorId")?.int64, let cursor = cursors[try storeName(arguments)]?[id] else {
            throw Fault(.invalidCursor, "there is no open cursor of this id")
        }
        return cursor
    }

    func closeCursor(_ arguments: CallArguments) throws(Fault) {
        let cursor = try cursor(arguments)
        cursor.close()
        cursors[try storeName(arguments)]?[Int64(cursor.cursorId)] = nil
    }
}

/// The clock of the vectors: it stands still during a call and moves by a millisecond after each that writes.
final class VectorClock: Sendable {
    static let start: Int64 = 1_600_000_000_000
    private let time = Atomic<Int64>(start)

    var now: Int64 { time.load(ordering: .relaxed) }
    func advance() { time.add(1, ordering: .relaxed) }
    func reset() { time.store(Self.start, ordering: .relaxed) }
}
