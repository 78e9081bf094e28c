import LocalChanges
import OData
public import OfflineStore
public import ServiceTransport
public import Soups
import Synchronization

/// Works with the entity sets of an OData service without a connection: loads them into soups, keeps local changes, and
/// pushes them when there is one.
///
/// ```swift
/// let map = try EntitySetMap(set: "Notes", key: ["Id"])
/// let client = try ODataClient(store, serviceRoot: "https://host/svc/", transport: network, map: map)
/// try await client.load("Notes")
/// let note = try await client.create("Notes", ["Text": "Milk"])
/// let result = try await client.push()
/// ```
///
/// Edits are local transactions; loads and pushes talk to the service, one request at a time, outside any transaction.
/// A run that fails keeps what it has saved, and `resume` goes on where it stopped. What the service has answered is
/// saved even if the task is cancelled then.
///
/// One client works on a store; its calls may come from any thread or task. Edits, queries and decisions about
/// conflicts block the calling thread, and have `async` forms that wait suspended.
public final class ODataClient: Sendable {
    /// The store of the soups.
    public let store: SmartStore
    /// Where each entity set is kept.
    public let map: EntitySetMap
    /// How the client talks to the service.
    public let options: ODataClientOptions
    let connection: ServiceConnection
    let registry: EntitySetRegistry
    /// What pushes and loads have saved since the loads under way asked for their pages.
    let saved = SavedKeys()
    private let running = Mutex(Running())

    private struct Running {
        var loads: Set<ByteKey> = []
        var isPushing = false
    }

    /// Opens a client: registers the soups of the map, and notes in the soup `odata_sets` how they are mapped.
    ///
    /// - Throws: `invalidArguments` for a service root that is not a URL; `pathNotIndexed` for an existing soup without
    ///   an index on `__key__` or `__local__`; as `registerSoup`.
    public init(
        _ store: SmartStore, serviceRoot: String, transport: any Transport, map: EntitySetMap,
        options: ODataClientOptions = ODataClientOptions()
    ) throws(Fault) {
        self.store = store
        self.map = map
        self.options = options
        connection = ServiceConnection(
            transport: transport, root: try ServiceRoot(serviceRoot), version: map.version, format: options.format,
            answerLimit: options.answerLimit, events: options.events)
        let registry = EntitySetRegistry(store)
        self.registry = registry
        if options.altersSoups {
            try Self.alter(store, map)
        }
        try store.atomically { () throws(Fault) in
            try registry.register(map)
            try Outbox(store).removeOrphans()
        }
    }

    /// Gives soups that exist the index specs of the map.
    private static func alter(_ store: SmartStore, _ map: EntitySetMap) throws(Fault) {
        for set in map.sets where try store.soupExists(set.soup) {
            let specs = try store.indexSpecs(ofSoup: set.soup)
            guard Set(specs) != Set(set.indexSpecs) else { continue }
            _ = try store.alterSoup(set.soup, indexSpecs: set.indexSpecs)
        }
    }

    // MARK: - One run at a time

    /// Begins a load of a set, which no other may do before it ends.
    func beginLoad(_ set: MappedEntitySet) throws(Fault) {
        guard running.withLock({ $0.loads.insert(ByteKey(set.name)).inserted }) else {
            throw Fault(.syncRunning, "the entity set \(set.name) is being loaded; wait until that has ended")
        }
        saved.beginLoad(of: set.name)
    }

    func endLoad(_ set: MappedEntitySet) {
        running.withLock { _ = $0.loads.remove(ByteKey(set.name)) }
        saved.endLoad(of: set.name)
    }

    func beginPush() throws(Fault) {
        let isFirst = running.withLock { state in
            defer { state.isPushing = true }
            return !state.isPushing
        }
        guard isFirst else {
            throw Fault(.syncRunning, "a push is running; wait until it has ended")
        }
    }

    func endPush() { running.withLock { $0.isPushing = false } }

    /// Reads the URL of an entity into a set and a key, and entities into their stored form.
    var reading: EntityReading { EntityReading(map: map, serviceRoot: connection.root.text) }

    /// Reads what a push asks for or is answered with. That is about the entity alone: a service that expands others
    /// unasked, page by page, is not asked for the rest.
    var pushReading: EntityReading {
        var reading = reading
        reading.leavesOutPartialExpansions = true
        return reading
    }
}
