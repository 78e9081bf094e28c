import OfflineStore
import OfflineSync
import Soups

/// What the calls about synchronisation keep for one case.
final class SyncSession {
    let service: ScriptedService
    /// Counts for the whole case, also over reopened stores.
    let uuids = UUIDSource.counting()
    /// What `sync.configure` has set.
    private(set) var options: SyncManagerOptions
    /// The managers, each made with the first call about its store.
    private var managers: [CallContext.StoreName: SyncManager] = [:]
    /// The key fields that `cache.init` named, by soup.
    private var keyFields: [CallContext.StoreName: [ByteKey: String]] = [:]

    init(_ service: ScriptedService) {
        self.service = service
        options = SyncManagerOptions()
        // A clock that does not move takes nothing off the dates of answers.
        options.clock = StoreClock { VectorClock.start }
        options.uuids = uuids
    }

    func keyField(of soup: String, in store: CallContext.StoreName) -> String {
        keyFields[store]?[ByteKey(soup)] ?? "Id"
    }

    func keep(keyField: String, of soup: String, in store: CallContext.StoreName) {
        keyFields[store, default: [:]][ByteKey(soup)] = keyField
    }

    /// The manager of a store.
    func manager(of name: CallContext.StoreName, store: SmartStore) throws(Fault) -> SyncManager {
        if let manager = managers[name] {
            return manager
        }
        let manager = try SyncManager(store: store, transport: service, options: options)
        managers[name] = manager
        return manager
    }

    /// Changes the options of all managers, also of those to come.
    func configure(_ change: (inout SyncManagerOptions) -> Void) {
        change(&options)
        for manager in managers.values {
            manager.change(change)
        }
    }

    /// Drops the manager of a store as a crash does.
    func abandon(_ name: CallContext.StoreName) { managers.removeValue(forKey: name)?.abandon() }

    /// Drops what is kept of a store that was removed.
    func forget(_ name: CallContext.StoreName) {
        abandon(name)
        keyFields[name] = nil
    }

    /// Drops all managers.
    func abandonAll() {
        for name in Array(managers.keys) {
            abandon(name)
        }
    }
}
