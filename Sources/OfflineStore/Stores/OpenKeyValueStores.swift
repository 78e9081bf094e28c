import Soups
import Synchronization

/// The key-value stores that a directory has open.
final class OpenKeyValueStores: Sendable {
    private let open = Mutex<[StoreDirectory.StoreName: KeyValueStore]>([:])

    /// The store of a name, if it is open.
    func opened(_ name: StoreDirectory.StoreName) -> KeyValueStore? {
        guard let known = kept(name), !known.wasClosed else { return nil }
        return known
    }

    /// The store of a name that was opened last, if it was not removed or closed by the directory.
    func kept(_ name: StoreDirectory.StoreName) -> KeyValueStore? { open.withLock { $0[name] } }

    /// Whether the calling thread is inside a call of one of the stores.
    func isInside(_ isMeant: (StoreDirectory.StoreName) -> Bool) -> Bool {
        open.withLock { $0.filter { isMeant($0.key) } }.values.contains { $0.connections.gate.isInside }
    }

    func names(global: Bool? = nil) -> [StoreDirectory.StoreName] {
        open.withLock { $0.keys.filter { global ?? $0.isGlobal == $0.isGlobal } }
    }

    func keep(_ store: KeyValueStore, _ name: StoreDirectory.StoreName) { open.withLock { $0[name] = store } }

    /// The stores whose calls the calling thread is inside of.
    var storesOfCaller: Set<StoreClaims.Store> {
        let names = open.withLock { $0.filter { $0.value.connections.gate.isInside }.keys }
        return Set(names.map { .init(name: $0, hasValues: true) })
    }

    /// Closes a store and forgets it; a store that cannot be closed stays. The caller must hold the claim to it.
    func closeNow(_ name: StoreDirectory.StoreName, _ claims: StoreClaims) throws(Fault) {
        if let known = open.withLock({ $0[name] }) {
            try claims.closing(.init(name: name, hasValues: true)) { () throws(Fault) in try known.close() }
        }
        open.withLock { $0[name] = nil }
    }
}
