import Soups
import Synchronization

/// The keys of the entities that pushes and other loads have saved while loads were under way. A page that was asked
/// for before that may have an entity as it was earlier.
final class SavedKeys: Sendable {
    private struct State {
        /// What was noted when each load last asked for a page, by its set.
        var asked: [ByteKey: Int64] = [:]
        /// Counts what was noted.
        var count: Int64 = 0
        /// When each key was last noted, and the set of the load that has saved it; nil for a push.
        var last: [ByteKey: (count: Int64, load: ByteKey?)] = [:]
        /// The number of keys at which those that no page needs any more are forgotten.
        var limit = SavedKeys.firstLimit
    }

    private static let firstLimit = 4_096
    private let state = Mutex(State())

    /// The name of an entity among those of all sets.
    static func name(_ key: String, _ set: String) -> ByteKey { ByteKey(set + "\0" + key) }

    /// Begins to note keys for a load of a set.
    func beginLoad(of set: String) { state.withLock { $0.asked[ByteKey(set)] = $0.count } }

    /// Ends a load, or that it asks for pages. All keys are forgotten with the last one.
    func endLoad(of set: String) {
        state.withLock { state in
            state.asked[ByteKey(set)] = nil
            if state.asked.isEmpty {
                state.last = [:]
                state.limit = Self.firstLimit
            }
        }
    }

    /// Whether another load is under way, for which the entities of this one are noted.
    func hasOtherLoad(than set: String) -> Bool {
        state.withLock { $0.asked.keys.contains { $0 != ByteKey(set) } }
    }

    /// Notes that a push saves the entities with these keys. O(n) in the number of keys.
    func note(_ keys: [String], of set: String) { note(keys.map { Self.name($0, set) }, load: nil) }

    /// Notes that the load of a set saves entities, by their names. O(n) in the number of names.
    func note(_ names: Set<ByteKey>, byLoadOf set: String) { note(Array(names), load: ByteKey(set)) }

    private func note(_ names: [ByteKey], load: ByteKey?) {
        state.withLock { state in
            guard state.asked.keys.contains(where: { $0 != load }) else { return }
            for name in names {
                state.count += 1
                state.last[name] = (state.count, load)
            }
        }
    }

    /// Notes that the load of a set asks for a page, and returns what was noted so far, for `names(after:)`.
    func ask(byLoadOf set: String) -> Int64 {
        state.withLock { state in
            state.asked[ByteKey(set)] = state.count
            if state.last.count > state.limit {
                let oldest = state.asked.values.min() ?? 0
                state.last = state.last.filter { $0.value.count > oldest }
                state.limit = max(Self.firstLimit, 2 * state.last.count)
            }
            return state.count
        }
    }

    /// The names of the entities that a push, or the load of another set, has noted later. O(n) in the number of noted
    /// keys if there are any.
    func names(after count: Int64, forLoadOf set: String) -> Set<ByteKey> {
        state.withLock { state in
            guard state.count > count else { return [] }
            return Set(state.last.filter { $0.value.count > count && $0.value.load != ByteKey(set) }.keys)
        }
    }
}

/// Ends the transaction of a page that has entities which were saved by others since the page was asked for.
struct OvertakenPage: Error {}
