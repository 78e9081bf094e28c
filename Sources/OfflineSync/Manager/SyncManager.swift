import JSONText
import LocalChanges
public import OfflineStore
public import ServiceTransport
public import Soups
import Synchronization

/// Keeps soups of a store and records of a service in step, by syncs that are stored and run again and again.
///
/// ```swift
/// let manager = try SyncManager(store: store, transport: network)
/// let target: JSONObject = ["type": "soql", "query": "select Name, Industry from Account"]
/// let state = try await manager.sync(.down, target: target, soup: "accounts", name: "accounts")
/// try state.requireDone()
/// // Later: only what has changed since.
/// try await manager.reSync("accounts")
/// ```
///
/// The definitions are rows of the soup `syncs_soup`. Each page of records is one transaction with its sync's row, so a
/// process may be killed at any time: what was saved stays, and running the sync again brings the rest.
///
/// A sync up sends the rows with local changes, in the order of their entry ids, and saves what became of each with the
/// answer. What was edited in the meantime stays to be sent. A row that was sent keeps its date until a sync down: run
/// up, then down.
///
/// A creation whose answer is lost may have been made. The request alone cannot show it, so what a sync up
/// promises depends on its target; the first line that applies counts:
///
/// | the target has | a record is created | after a lost answer |
/// | --- | --- | --- |
/// | `externalIdFieldName`, and the row a value there | exactly once | it is sent again: an upsert of the same key |
/// | nothing, or `doubt: hold` | at most once | the row is held with the error `IN_DOUBT` |
/// | `doubt: resend` | at least once | it is sent again: a second record is possible |
///
/// `generatesExternalId` fills a missing value. A row that is held waits for
/// ``resolveDoubt(_:soup:entryId:keyField:)``.
///
/// Updates and deletions are sent again without harm. With `leaveIfChanged`, an update whose answer was lost is found
/// on the service and not sent again. Between the question for dates and the update a change of the service can still
/// be lost.
///
/// One manager works on a store, and one run at a time on the manager: others wait in the order in which they were
/// asked for. Calls wait suspended and may come from any task. A call that runs a sync returns its final state, `done`,
/// `stopped` or `failed`; it throws only what kept the run from starting.
public final class SyncManager: Sendable {
    /// The store.
    public let store: SmartStore
    let transport: any Transport
    let queue = SyncQueue()
    let shared: Mutex<Shared>
    private let claim: ManagerClaim

    /// What all calls share.
    struct Shared {
        var options: SyncManagerOptions
        var state = SyncManagerState.acceptingSyncs
        /// What was queued and has not ended, by the id of its sync.
        var active: [Int64: ActiveRun] = [:]
        /// How runs have ended whose final state could not be written, by the id of their sync. Their rows say that
        /// they run.
        var unwritten: [Int64: SyncState] = [:]
        var isClosed = false
    }

    /// Creates the manager of a store.
    ///
    /// Registers the soup `syncs_soup`, unless the store is read-only: then only calls that read work. A sync that a
    /// former process left running becomes stopped. Blocks while it does.
    ///
    /// - Throws: `syncManagerExists` if the store has a manager in this process that was not closed; faults of the
    ///   store.
    public init(
        store: SmartStore, transport: any Transport, options: SyncManagerOptions = SyncManagerOptions()
    ) throws(Fault) {
        claim = try ManagerClaim(path: store.path)
        self.store = store
        self.transport = transport
        shared = Mutex(Shared(options: options))
        do throws(Fault) {
            try prepare()
        } catch {
            claim.end()
            throw error
        }
    }

    deinit { claim.end() }

    /// Whether the manager takes new work.
    public var state: SyncManagerState { shared.withLock { $0.state } }

    /// Asks every run to stop, waits until the page under way is saved, and frees the store for another manager.
    /// Calls after that throw `closed`.
    public func close() async {
        let controls = shared.withLock { shared in
            shared.isClosed = true
            return shared.active.values.map(\.control)
        }
        for control in controls {
            control.cancel()
        }
        let ticket = queue.enter()
        await queue.turn(of: ticket)
        queue.leave(ticket)
        claim.end()
    }

    /// Drops the manager as a crash does: nothing is written, also by what is under way.
    package func abandon() {
        shared.withLock { $0.isClosed = true }
        claim.end()
    }

    /// Changes options between runs, for tests.
    package func change(_ change: (inout SyncManagerOptions) -> Void) {
        shared.withLock { change(&$0.options) }
    }
}

extension SyncManager {
    var options: SyncManagerOptions { shared.withLock { $0.options } }
    var rows: SyncRows { SyncRows(store) }
    func send(_ event: SyncEvent) { options.events?(event) }

    func requireOpen() throws(Fault) {
        guard !shared.withLock({ $0.isClosed }) else {
            throw Self.closedManager
        }
    }

    /// Takes the store over. One that is read-only stays as it is.
    private func prepare() throws(Fault) {
        do throws(Fault) {
            try takeOver()
        } catch {
            guard error.code == .readOnly else { throw error }
        }
    }

    /// Prepares the soup of syncs, and mends what a former process left.
    private func takeOver() throws(Fault) {
        try rows.prepare()
        var soups: Set<ByteKey> = []
        for row in try rows.all() {
            do throws(Fault) {
                var state = try SyncState(row: row)
                soups.formUnion(state.soupNames.map { ByteKey($0) })
                if state.status == .running {
                    state.end(.stopped, at: options.clock.now())
                    _ = try rows.write(state)
                }
            } catch {
                guard error.code == .invalidSync else { throw error }
                send(.malformedSync(sync: row.entryId ?? 0, key: error.firstPath))
            }
        }
        try Outbox(store).removeOrphans()
        for soup in soups.map(\.text).sorted() where try store.soupExists(soup) {
            if try SoupCheck(store, soup: soup).hasLegacyBooleans() {
                send(.legacyBooleans(soup: soup))
            }
        }
    }
}

extension Fault {
    /// The first path that it names.
    var firstPath: String? {
        for case .path(let path) in context {
            return path
        }
        return nil
    }
}

/// A run or a ghost cleaning that was queued and has not ended.
struct ActiveRun {
    let control: RunControl
    let ticket: Int
    /// The newest numbers; nil for a ghost cleaning.
    var state: SyncState?
}
