import OfflineSync
import Soups

/// What the calls about synchronisation keep for one case.
final class SyncState {
    let service: ScriptedService
    /// Counts for the whole case, also over reopened stores.
    let uuids = UUIDSource.counting()
    /// The key fields that `cache.init` named, by soup.
    private var keyFields: [CallContext.StoreName: [ByteKey: String]] = [:]

    init(_ service: ScriptedService) { self.service = service }

    func keyField(of soup: String, in store: CallContext.StoreName) -> String {
        keyFields[store]?[ByteKey(soup)] ?? "Id"
    }

    func keep(keyField: String, of soup: String, in store: CallContext.StoreName) {
        keyFields[store, default: [:]][ByteKey(soup)] = keyField
    }
}
