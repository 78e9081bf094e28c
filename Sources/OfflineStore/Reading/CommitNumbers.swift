import SQLiteAccess
import Soups
import Synchronization

/// Numbers the commits of one store object, from the first time that a number is asked for.
///
/// Commits of this object are known by their soups. Of those of other objects and processes `PRAGMA data_version` of the
/// writing connection says only that there were some; they begin another epoch, and so does another connection. A number
/// is taken before its state is fixed: what was committed in between counts as changed, although the state has it.
final class CommitNumbers: Sendable {
    private struct State {
        /// What the writing connection has answered last; nil if it was not asked, or is another one now.
        var version: Int64?
        var epoch: UInt64 = 0
        var commit: UInt64 = 0
        /// The number of the last commit that changed a soup.
        var bySoup: [ByteKey: UInt64] = [:]
    }

    private static let objects = Atomic<UInt64>(0)

    private let owner = CommitNumbers.objects.wrappingAdd(1, ordering: .relaxed).newValue
    private let state = Mutex(State())
    /// Whether the version is known. Each reading and each writing call asks, so it is a single load where numbers are
    /// not used.
    private let isOn = Atomic(false)

    // MARK: - Readers

    /// The number of the state that is fixed next; nil if the writing connection must be asked first.
    var current: CommitNumber? {
        guard isOn.load(ordering: .acquiring) else { return nil }
        return state.withLock { $0.version == nil ? nil : number($0) }
    }

    private func number(_ state: State) -> CommitNumber {
        CommitNumber(owner: owner, commit: state.commit, epoch: state.epoch)
    }

    // MARK: - The writer

    /// Asks the writing connection for the commits of others, and gives the number of its present state.
    @discardableResult
    func ask(_ connection: Connection) throws(Fault) -> CommitNumber {
        let version = try connection.integer("PRAGMA data_version") ?? 0
        isOn.store(true, ordering: .releasing)
        return state.withLock { state in
            if let known = state.version, known != version {
                state.epoch += 1
            }
            state.version = version
            return number(state)
        }
    }

    /// Notes what a transaction has committed.
    func note(_ parts: [ChangePart]) {
        guard isOn.load(ordering: .relaxed) else { return }
        state.withLock { state in
            state.commit += 1
            for part in parts {
                state.bySoup[ByteKey(part.soup)] = state.commit
            }
        }
    }

    /// Begins another epoch: the connections are closed, and others may write before the next ones are opened.
    func forget() {
        isOn.store(false, ordering: .releasing)
        state.withLock { state in
            state.version = nil
            state.epoch += 1
            state.bySoup.removeAll()
        }
    }

    /// Throws `conflict` if one of the soups may have been changed since a state. The caller is the writer, inside its
    /// transaction: nothing is committed before that ends.
    func requireUnchanged(
        since number: CommitNumber, soups: [String], on connection: Connection
    ) throws(Fault) {
        let present = try ask(connection)
        guard number.owner == owner, number.epoch == present.epoch else {
            throw Fault(
                .conflict, "another process may have changed the store, or it was opened again, since that read")
        }
        let changed = state.withLock { state in
            soups.first { state.bySoup[ByteKey($0)] ?? 0 > number.commit }
        }
        if let changed {
            throw Fault(.conflict, "the soup was changed since that read: read it again", context: [.soup(changed)])
        }
    }
}
