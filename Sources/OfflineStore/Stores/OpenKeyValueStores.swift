import Soups
import Synchronization

/// The key-value stores that a directory has open, and who opens or removes which.
final class OpenKeyValueStores: Sendable {
    private let open = Mutex<[StoreDirectory.StoreName: KeyValueStore]>([:])
    /// Held while a store is opened, closed or removed; the lock of `open` is not held during that time.
    let claims = StoreClaims()

    /// The store of a name, if it is open.
    func opened(_ name: StoreDirectory.StoreName) -> KeyValueStore? {
        guard let known = open.withLock({ $0[name] }), !known.wasClosed else { return nil }
        return known
    }

    /// Whether the calling thread is inside a call of one of the stores.
    func isInside(_ isMeant: (StoreDirectory.StoreName) -> Bool) -> Bool {
        open.withLock { $0.filter { isMeant($0.key) } }.values.contains { $0.connections.gate.isInside }
    }

    func names(global: Bool? = nil) -> [StoreDirectory.StoreName] {
        open.withLock { $0.keys.filter { global ?? $0.isGlobal == $0.isGlobal } }
    }

    func keep(_ store: KeyValueStore, _ name: StoreDirectory.StoreName) { open.withLock { $0[name] = store } }

    /// Closes a store and forgets it; a store that cannot be closed stays. The caller must hold the claim to it.
    func closeNow(_ name: StoreDirectory.StoreName) throws(Fault) {
        try open.withLock({ $0[name] })?.close()
        open.withLock { $0[name] = nil }
    }
}
