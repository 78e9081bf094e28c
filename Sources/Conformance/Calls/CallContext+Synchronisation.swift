import OfflineStore
import OfflineSync
import Soups

extension CallContext {
    func makeSync() -> SyncSession {
        let service = ScriptedService(
            makeCalls: { [unowned self] (calls) throws(Fault) in try makeMeanwhile(calls) },
            kill: { [unowned self] in
                if let name = running {
                    sync.abandon(name)
                    try? stores[name]?.close()
                }
            })
        return SyncSession(service)
    }

    /// The sync manager of a call's store.
    ///
    /// - Throws: `busy` while the store has an open transaction, for which a manager would wait.
    func manager(_ arguments: CallArguments) throws(Fault) -> SyncManager {
        try requireNoTransaction(arguments)
        try noteRunning(arguments)
        return try sync.manager(of: storeName(arguments), store: store(arguments))
    }

    /// Notes the store of a call that asks the service: a scripted kill of the process closes this store.
    func noteRunning(_ arguments: CallArguments) throws(Fault) { running = try storeName(arguments) }

    /// Opens a store and its manager again after a scripted kill. The old ones are dropped without being closed.
    func reopenAfterCrash(_ arguments: CallArguments) throws(Fault) {
        let name = try storeName(arguments)
        try requireNoTransaction(arguments)
        let store = try store(arguments)
        sync.abandon(name)
        cursors[name] = nil
        try store.reopen()
        // A store without a soup of syncs does not get one here.
        if try store.soupExists("syncs_soup") {
            _ = try sync.manager(of: name, store: store)
        }
    }

    /// The member with the key of the records of a soup.
    func keyField(_ soup: String, _ arguments: CallArguments) throws(Fault) -> String {
        sync.keyField(of: soup, in: try storeName(arguments))
    }

    func keep(keyField: String, of soup: String, _ arguments: CallArguments) throws(Fault) {
        sync.keep(keyField: keyField, of: soup, in: try storeName(arguments))
    }

    /// The record cache of a call.
    func cache(_ arguments: CallArguments) throws(Fault) -> RecordCache {
        let soup = try arguments.soupName()
        return RecordCache(try store(arguments), soup: soup, keyField: try keyField(soup, arguments))
    }
}
