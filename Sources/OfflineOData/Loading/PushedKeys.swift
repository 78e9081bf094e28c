import Soups
import Synchronization

/// The keys of the entities that a push has saved while loads were under way. A page that was asked for before that may
/// have an entity as it was before the push.
final class PushedKeys: Sendable {
    private struct State {
        var loads = 0
        /// Counts what was noted.
        var count: Int64 = 0
        /// When each key was last noted.
        var last: [ByteKey: Int64] = [:]
    }

    private let state = Mutex(State())

    /// The name of an entity among those of all sets.
    static func name(_ key: String, _ set: String) -> ByteKey { ByteKey(set + "\0" + key) }

    /// Begins to note keys.
    func beginLoad() { state.withLock { $0.loads += 1 } }

    /// Forgets all keys with the last load.
    func endLoad() {
        state.withLock { state in
            state.loads -= 1
            if state.loads == 0 {
                state.last = [:]
            }
        }
    }

    /// Notes that a push saves the entities with these keys. O(n) in the number of keys.
    func note(_ keys: [String], of set: String) {
        state.withLock { state in
            guard state.loads > 0 else { return }
            for key in keys {
                state.count += 1
                state.last[Self.name(key, set)] = state.count
            }
        }
    }

    /// What was noted so far, for `names(after:)`.
    var count: Int64 { state.withLock { $0.count } }

    /// The names of the entities that were noted later. O(n) in the number of noted keys if there are any.
    func names(after count: Int64) -> Set<ByteKey> {
        state.withLock { state in
            guard state.count > count else { return [] }
            return Set(state.last.filter { $0.value > count }.keys)
        }
    }
}

/// Ends the transaction of a page that has entities which a push has saved since the page was asked for.
struct OvertakenPage: Error {}
