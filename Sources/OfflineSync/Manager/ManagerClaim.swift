import Soups
import Synchronization

/// The right of one sync manager to a store in this process, by the file that the path leads to.
final class ManagerClaim: Sendable {
    private static let claimed = Mutex<Set<ByteKey>>([])

    private let key: ByteKey
    private let isHeld = Mutex(true)

    /// - Parameter path: Without symbolic links.
    /// - Throws: `syncManagerExists`.
    init(path: String) throws(Fault) {
        let key = ByteKey(path)
        guard Self.claimed.withLock({ $0.insert(key).inserted }) else {
            throw Fault(.syncManagerExists, "the store has a sync manager already; use that one, or close it")
        }
        self.key = key
    }

    /// Gives the right up. Further calls do nothing.
    func end() {
        let isMine = isHeld.withLock { isHeld in
            defer { isHeld = false }
            return isHeld
        }
        if isMine {
            Self.claimed.withLock { _ = $0.remove(key) }
        }
    }
}
