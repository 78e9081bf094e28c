import Soups
import Synchronization

/// Caches the steps of a query, because a cursor needs the same ones for page after page. Safe to share between
/// threads.
final class WalkSteps: Sendable {
    struct Key: Hashable, Sendable {
        /// The index of an interval of the filter; nil for everything that passes the filter.
        let interval: Int?
        let order: SortOrder
        let start: WalkStart
    }

    private let known = Mutex<[Key: [WalkStep]]>([:])

    func steps(_ key: Key, write: () -> [WalkStep]) -> [WalkStep] {
        if let steps = known.withLock({ $0[key] }) {
            return steps
        }
        let steps = write()
        known.withLock { $0[key] = steps }
        return steps
    }
}
