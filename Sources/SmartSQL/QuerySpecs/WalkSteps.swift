import Soups
import Synchronization

/// Keeps the steps that were written for a query: a cursor asks for the same ones page after page. Safe to share.
final class WalkSteps: Sendable {
    struct Key: Hashable, Sendable {
        /// Which interval of the filter; nil for everything it lets pass.
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
