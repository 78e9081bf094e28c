import OfflineStore
import Soups

extension CallContext {
    /// Keeps changes until their store is removed, and returns the handle.
    func keep(_ changes: StoreChanges, _ arguments: CallArguments) throws(Fault) -> Int64 {
        watched[try storeName(arguments), default: Handles()].keep(changes)
    }

    /// Keeps a state until its store is removed, and returns the handle.
    func keep(_ state: CommitNumber, _ arguments: CallArguments) throws(Fault) -> Int64 {
        states[try storeName(arguments), default: Handles()].keep(state)
    }

    /// The state of a handle; `invalidArguments` if the store has no such handle.
    func state(_ arguments: CallArguments) throws(Fault) -> CommitNumber {
        let handle = try arguments.integer("handle")
        guard let state = states[try storeName(arguments)]?[handle] else {
            throw Fault(.invalidArguments, "unknown handle: name a state with store.state first")
        }
        return state
    }

    /// The changes of a handle; `invalidArguments` if the store has no such handle.
    func changes(_ arguments: CallArguments) throws(Fault) -> StoreChanges {
        let handle = try arguments.integer("handle")
        guard let changes = watched[try storeName(arguments)]?[handle] else {
            throw Fault(.invalidArguments, "unknown handle: watch the store with store.changes first")
        }
        return changes
    }

    /// Keeps the changes of a key-value store until it is removed, and returns the handle.
    func keep(_ changes: KeyValueChanges, _ arguments: CallArguments) throws(Fault) -> Int64 {
        watchedKeys[try storeName(arguments), default: Handles()].keep(changes)
    }

    /// The changes of a handle; `invalidArguments` if the key-value store has no such handle.
    func keyValueChanges(_ arguments: CallArguments) throws(Fault) -> KeyValueChanges {
        let handle = try arguments.integer("handle")
        guard let changes = watchedKeys[try storeName(arguments)]?[handle] else {
            throw Fault(.invalidArguments, "unknown handle: watch the store with kv.changes first")
        }
        return changes
    }

    /// Forgets what watches a key-value store that was removed, and requires that it has ended.
    func forgetKeyValueChanges(_ arguments: CallArguments) throws(Fault) {
        let ended = watchedKeys.removeValue(forKey: try storeName(arguments)) ?? Handles()
        for changes in ended.all {
            // Changes that were not taken come as one.
            let rest = try SyncCalls.awaiting {
                var rest = 0
                for await _ in changes {
                    rest += 1
                }
                return rest
            }
            guard rest <= 1 else { throw EntryReadings.disagreement("after the end of a store") }
        }
    }
}
