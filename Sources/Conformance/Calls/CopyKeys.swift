import OfflineStore
import SQLiteAccess
import Synchronization

/// The keys of stores that were made as copies of others, which open with them and not with the key of the back end.
final class CopyKeys: Sendable {
    private let keys = Mutex<[StoreDirectory.StoreName: Key?]>([:])

    /// The key of a copy; the outer nil says that the store is not one.
    func key(of name: StoreDirectory.StoreName) -> Key?? { keys.withLock { $0[name] } }

    func keep(_ key: Key?, of name: StoreDirectory.StoreName) { keys.withLock { $0[name] = .some(key) } }

    /// Forgets the key of a store that was removed: a new one of that name has the key of the back end.
    func forget(_ name: StoreDirectory.StoreName) { keys.withLock { $0[name] = nil } }

    /// Forgets the keys of all stores of one kind.
    func forgetAll(global: Bool) { keys.withLock { keys in keys = keys.filter { $0.key.isGlobal != global } } }

    func removeAll() { keys.withLock { $0 = [:] } }
}
