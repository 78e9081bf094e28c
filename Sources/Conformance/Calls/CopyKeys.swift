import OfflineStore
import SQLiteAccess
import Synchronization

/// The keys of stores that were made as copies of others, which open with them and not with the key of the back end.
final class CopyKeys: Sendable {
    private let keys = Mutex<[StoreDirectory.StoreName: Key?]>([:])

    /// The key of a copy; the outer nil says that the store is not one.
    func key(of name: StoreDirectory.StoreName) -> Key?? { keys.withLock { $0[name] } }

    func keep(_ key: Key?, of name: StoreDirectory.StoreName) { keys.withLock { $0[name] = .some(key) } }

    func removeAll() { keys.withLock { $0 = [:] } }
}
