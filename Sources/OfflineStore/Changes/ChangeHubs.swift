import Soups
import Synchronization

/// Knows the hubs of this process: one for each path, for as long as a store or a watcher has it.
///
/// A path stands for one file: `OpenFiles` refuses a file that is open under another name. A change of key replaces the
/// file, and those who watch go on.
final class ChangeHubs: Sendable {
    static let shared = ChangeHubs()

    private struct Entry {
        weak var hub: ChangeHub?
    }

    private let hubs = Mutex<[ByteKey: Entry]>([:])

    /// The hub of a file.
    ///
    /// - Parameter path: Without symbolic links.
    func hub(of path: String) -> ChangeHub {
        hubs.withLock { hubs in
            if let known = hubs[ByteKey(path)]?.hub {
                return known
            }
            // Each new hub is the occasion to forget those that are gone: never more than twice as many as are in use.
            if hubs.count >= 64 {
                hubs = hubs.filter { $0.value.hub != nil }
            }
            let hub = ChangeHub(path: path)
            hubs[ByteKey(path)] = Entry(hub: hub)
            return hub
        }
    }
}
