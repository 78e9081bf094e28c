import OfflineOData
import OfflineStore
import Soups

/// An OData client that is open, and what it was opened with.
struct OpenODataClient {
    let arguments: OfflineArguments
    let client: ODataClient

    init(
        _ arguments: OfflineArguments, store: SmartStore, service: ScriptedService
    ) throws(Fault) {
        self.arguments = arguments
        client = try ODataClient(
            store, serviceRoot: arguments.serviceRoot, transport: service, map: arguments.map,
            options: arguments.options)
    }
}

extension CallContext {
    private static let noClient = Fault(.invalidArguments, "no OData client is open: call offline.open first")

    /// Opens the OData client of a call's store, in place of the one that is open.
    func openOffline(_ arguments: CallArguments) throws(Fault) -> ODataClient {
        try requireNoTransaction(arguments)
        var given = try OfflineArguments(arguments)
        given.options.uuids = sync.uuids
        return try open(given, of: storeName(arguments), in: store(arguments))
    }

    /// The open OData client of a call's store.
    func offlineClient(_ arguments: CallArguments) throws(Fault) -> ODataClient {
        let name = try storeName(arguments)
        running = name
        guard let open = offline[name] else {
            throw Self.noClient
        }
        return open.client
    }

    /// Opens a store and its OData client again. The old ones are dropped without being closed.
    func reopenOffline(_ arguments: CallArguments) throws(Fault) {
        let name = try storeName(arguments)
        try requireNoTransaction(arguments)
        guard let old = offline.removeValue(forKey: name) else {
            throw Self.noClient
        }
        let store = try store(arguments)
        sync.abandon(name)
        cursors[name] = nil
        try store.reopen()
        _ = try open(old.arguments, of: name, in: store)
    }

    private func open(
        _ arguments: OfflineArguments, of name: StoreName, in store: SmartStore
    ) throws(Fault) -> ODataClient {
        let opened = try OpenODataClient(arguments, store: store, service: sync.service)
        offline[name] = opened
        return opened.client
    }
}
