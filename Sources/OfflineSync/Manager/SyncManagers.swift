public import OfflineStore
public import ServiceTransport
import Soups
import Synchronization

/// Gives each store of a user its sync manager, and takes all of them down when the user logs out.
///
/// Calls may come from any thread. The stores are those of a `StoreDirectory`: log out through this type, so that no
/// run writes afterwards.
public final class SyncManagers: Sendable {
    private let directory: StoreDirectory
    private let transport: any Transport
    private let options: SyncManagerOptions
    private let managers = Mutex<[StoreDirectory.StoreName: SyncManager]>([:])

    /// Creates the managers of a user's stores. The transport sends with the user's session.
    public init(
        _ directory: StoreDirectory, transport: any Transport, options: SyncManagerOptions = SyncManagerOptions()
    ) {
        self.directory = directory
        self.transport = transport
        self.options = options
    }

    /// Returns the manager of a store: the same one for the same name. The store is opened or created if necessary.
    /// Blocks.
    ///
    /// - Throws: as `StoreDirectory.store` and `SyncManager.init`.
    public func manager(_ name: StoreDirectory.StoreName = .init()) throws(Fault) -> SyncManager {
        try managers.withLock { (managers) throws(Fault) in
            if let manager = managers[name] {
                return manager
            }
            let manager = try SyncManager(store: directory.store(name), transport: transport, options: options)
            managers[name] = manager
            return manager
        }
    }

    /// Stops every manager, waits until the page under way is saved, and removes the user's stores from the disk.
    /// Nothing is written afterwards.
    ///
    /// - Throws: as `StoreDirectory.logOut`.
    public func logOut() async throws {
        let all = managers.withLock { managers in
            defer { managers = [:] }
            return Array(managers.values)
        }
        for manager in all {
            await manager.close()
        }
        try await directory.logOut()
    }
}
