import OfflineStore
import Soups
import Synchronization

/// The numbers of one run of a sync up: kept with each answer that saves outcomes, and published row by row.
final class UpProgress: Sendable {
    private struct State {
        var sync: SyncState
        var settled = 0
    }

    private let state: Mutex<State>
    private let store: SmartStore
    private let options: SyncManagerOptions
    private let publish: @Sendable (SyncState) -> Void

    init(
        _ sync: SyncState, store: SmartStore, options: SyncManagerOptions,
        publish: @escaping @Sendable (SyncState) -> Void
    ) {
        state = Mutex(State(sync: sync))
        self.store = store
        self.options = options
        self.publish = publish
    }

    /// Sends an event.
    func send(_ event: SyncEvent) { options.events?(event) }

    /// Says how many rows the run has before it.
    func begin(total: Int) {
        let sync = state.withLock { state in
            state.sync.totalSize = total
            return state.sync
        }
        publish(sync)
    }

    /// Saves outcomes in one transaction with the row of the sync. Only then do they count.
    ///
    /// - Throws: also `soupNotFound` if a soup was removed since the run began: what belongs to the others is saved.
    @discardableResult
    func settle(_ work: @escaping @Sendable () throws -> UpEffects) async throws -> UpEffects {
        let store = store
        let before = state.withLock { $0 }
        let (effects, replaced) = try await store.writingToTheEnd {
            let effects = try work()
            var sync = before.sync
            sync.progress = Self.progress(before.settled + effects.settled, of: sync.totalSize) ?? sync.progress
            _ = try SyncRows(store).write(sync)
            return (effects, try sync.firstReplaced(store))
        }
        apply(effects)
        if let replaced {
            throw SoupCheck.replaced(replaced)
        }
        return effects
    }

    /// Makes up a batch in a transaction.
    func prepare(
        _ work: @escaping @Sendable () throws -> BatchPreparation.Batch
    ) async throws -> BatchPreparation.Batch {
        let batch = try await store.writingToTheEnd(work)
        apply(batch.effects)
        return batch
    }

    /// Counts rows that need nothing any more.
    func pass(_ count: Int) { apply(UpEffects(settled: count)) }

    /// Counts what was saved, and publishes an update for each row that is settled.
    func apply(_ effects: UpEffects) {
        let updates = state.withLock { state -> [SyncState] in
            state.sync.summary.add(effects.summary)
            var updates: [SyncState] = []
            for _ in 0..<effects.settled {
                state.settled += 1
                if let progress = Self.progress(state.settled, of: state.sync.totalSize) {
                    state.sync.progress = progress
                    updates.append(state.sync)
                }
            }
            return updates
        }
        effects.events.forEach(send)
        updates.forEach(publish)
    }

    /// The run has come to its end.
    func finish() {
        state.withLock { state in
            state.sync.progress = 100
            state.sync.end(.done, at: options.clock.now())
        }
    }

    /// The run was cut off.
    func end(_ error: any Error) {
        state.withLock { $0.sync.end(error, at: options.clock.now()) }
    }

    func finalState(_ link: ServiceLink) -> SyncState {
        state.withLock { state in
            state.sync.summary.requests = link.counts.requests
            state.sync.summary.bytes = link.counts.bytes
            return state.sync
        }
    }

    /// The progress after a row; nil after the last one, which is reported with the end of the run.
    private static func progress(_ settled: Int, of total: Int) -> Int? {
        settled < total ? Int(Int64(settled) * 100 / Int64(total)) : nil
    }
}
