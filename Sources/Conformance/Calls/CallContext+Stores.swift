import JSONText
import OfflineStore
import Soups

extension CallContext {
    typealias StoreName = StoreDirectory.StoreName

    /// The store of a call. It is opened or created if necessary.
    func store(_ arguments: CallArguments) throws(Fault) -> SmartStore { try store(storeName(arguments)) }

    /// The store of a name. It is opened or created if necessary.
    func store(_ name: StoreName) throws(Fault) -> SmartStore {
        if let store = stores[name] {
            return store
        }
        let store = try directory.store(name)
        stores[name] = store
        return store
    }

    /// The store of a call. A named store must exist; only the default store is created.
    func existingStore(_ arguments: CallArguments) throws(Fault) -> SmartStore {
        let name = try storeName(arguments)
        let isThere = try directory.exists(name)
        guard isThere || arguments.value("storeName") == nil else {
            throw Fault(.storeNotFound, "unknown store; open it first", context: [.store(name.name)])
        }
        return try store(arguments)
    }

    /// The names of the existing stores in the form of the contract.
    func storeList(global: Bool) -> JSONValue {
        .array(directory.names(global: global).map { ["storeName": .string($0), "isGlobalStore": .bool(global)] })
    }

    func removeStore(_ arguments: CallArguments) throws(Fault) {
        let name = try storeName(arguments)
        try requireNoTransaction(arguments)
        try directory.remove(name)
        copies.forget(name)
        stores[name] = nil
        forget(name)
    }

    private func forget(_ name: StoreName) {
        endAll(of: name)
        sync.forget(name)
    }

    /// Ends the cursors, the handles, the manager of syncs and the OData client of a store that was closed.
    func endAll(of name: StoreName) {
        sync.abandon(name)
        cursors[name] = nil
        watched[name] = nil
        states[name] = nil
        offline[name] = nil
    }

    func removeAllStores(global: Bool) throws(Fault) {
        guard !transactions.keys.contains(where: { $0.isGlobal == global }) else {
            throw Self.inTransaction
        }
        try directory.removeAll(global: global)
        copies.forgetAll(global: global)
        for name in stores.keys where name.isGlobal == global {
            forget(name)
        }
        stores = stores.filter { $0.key.isGlobal != global }
    }

    func storeName(_ arguments: CallArguments) throws(Fault) -> StoreName {
        StoreName(
            try arguments.optionalText("storeName") ?? StoreDirectory.defaultStoreName,
            isGlobal: try arguments.flag("isGlobalStore", default: false))
    }
}
