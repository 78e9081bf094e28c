import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import ServiceTransport
import Soups
import Synchronization
import TestSupport

/// A new folder with a store, a mock service, and what its sync manager says.
struct SyncSetup {
    let folder: TemporaryFolder
    let store: SmartStore
    let mock = MockService()
    let events = EventLog()

    init(_ backEnd: BackEnd = .plain, storeEvents: (@Sendable (StoreEvent) -> Void)? = nil) throws {
        let folder = try TemporaryFolder()
        var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
        // The folder stays for as long as the store.
        options.clock = StoreClock { withExtendedLifetime(folder) { 1_600_000_000_000 } }
        options.settings.durability = .relaxed
        options.events = storeEvents
        self.folder = folder
        store = try SmartStore(path: folder.file("store.db"), options: options)
    }

    /// A soup with the indexes that a sync may need.
    func register(_ soup: String, _ more: [IndexSpec] = []) throws {
        try store.registerSoup(
            soup, indexSpecs: [.string("Id"), .string("__local__"), .integer("__sync_id__")] + more)
    }

    func manager(
        _ transport: (any Transport)? = nil, _ change: (inout SyncManagerOptions) -> Void = { _ in }
    ) throws -> SyncManager {
        var options = SyncManagerOptions()
        options.clock = StoreClock { 1_600_000_000_000 }
        options.events = { [events] in events.add($0) }
        change(&options)
        return try SyncManager(store: store, transport: transport ?? mock.transport, options: options)
    }

    /// The cells of a Smart SQL text.
    func rows(_ text: String) throws -> [[String]] {
        try store.rows(text, limit: 1_000).map { row in
            row.map { cell in
                switch cell {
                case .value(.text(let bytes)): String(decoding: bytes, as: UTF8.self)
                case .value(.integer(let number)): String(number)
                case .value(.real(let number)): String(number)
                case .value(.null), .value(.blob): "null"
                case .entry(let bytes): String(decoding: bytes, as: UTF8.self)
                }
            }
        }
    }
}

/// Keeps the events of a sync manager.
final class EventLog: Sendable {
    private let events = Mutex<[SyncEvent]>([])
    func add(_ event: SyncEvent) { events.withLock { $0.append(event) } }
    var all: [SyncEvent] { events.withLock { $0 } }
    /// Everything that the events hold, as one text.
    var text: String { all.map { "\($0)" }.joined(separator: "\n") }
}

/// Sends by a function.
struct FunctionTransport: Transport {
    let body: @Sendable (ServiceRequest) async throws -> ServiceResponse
    init(_ body: @escaping @Sendable (ServiceRequest) async throws -> ServiceResponse) { self.body = body }
    func send(_ request: ServiceRequest) async throws -> ServiceResponse { try await body(request) }
}
