import OfflineStore
import Soups
import Synchronization

// MARK: - Restarting
extension SyncManager {
    /// Lets the manager take work again.
    ///
    /// If it is asked to, every stopped sync is run again, in the order of ids: all are queued at once, in one
    /// transaction, and a stop request in the meantime is also for those whose turn has not come. The call waits for
    /// them. One that cannot run, because of its definition or of the soups that it needs, is passed over and stays
    /// stopped.
    ///
    /// - Returns: The final states of those runs.
    /// - Throws: `syncManagerRunning` if it was not stopped; `closed`; faults of the store, such as `busy`, `diskFull`
    ///   and `corrupt`: then nothing was queued, the manager stays stopped, and the call can be made again.
    @discardableResult
    public func restart(restartStoppedSyncs: Bool = false, observer: Observer? = nil) async throws -> [SyncState] {
        try requireOpen()
        guard restartStoppedSyncs else {
            try accept([])
            return []
        }
        try requireStopped()
        let (queued, malformed) = try await queueStopped()
        for event in malformed + queued.map({ .queued(sync: $0.prepared.state.id) }) {
            send(event)
        }
        for run in queued {
            observer?(run.prepared.state)
        }
        var ended: [SyncState] = []
        for run in queued {
            ended.append(await complete(run, observer))
        }
        return ended
    }

    private func requireStopped() throws(Fault) {
        guard state != .acceptingSyncs else { throw Self.runningManager }
    }

    /// Queues a run of each stopped sync that can run, and takes work again, in one transaction. If that fails, all is
    /// as before.
    ///
    /// - Returns: The runs, in the order of their ids, and the events of rows that cannot be read.
    private func queueStopped() async throws -> (runs: [QueuedRun], malformed: [SyncEvent]) {
        let accepted = Mutex<[QueuedRun]?>(nil)
        do {
            return try await store.writingToTheEnd { [self] in
                let found = try readSyncs(with: .stopped)
                let options = options
                var prepared: [PreparedRun] = []
                for sync in found.syncs where !isActive(sync.id) {
                    if let run = try preparedIfPossible(sync, options) {
                        prepared.append(run)
                    }
                }
                // Before others can see the rows, so that none of them runs one too.
                let runs = try accept(prepared)
                accepted.withLock { $0 = runs }
                return (runs, found.malformed)
            }
        } catch {
            if let runs = accepted.withLock({ $0 }) {
                withdraw(runs)
            }
            throw error
        }
    }

    /// Marks a sync as running; nil for one that cannot run.
    ///
    /// - Throws: faults of the store.
    private func preparedIfPossible(_ sync: SyncState, _ options: SyncManagerOptions) throws -> PreparedRun? {
        let checked: CheckedSync
        do {
            checked = try check(sync, options)
        } catch {
            if let fault = error as? Fault, Self.storeFaults.contains(fault.code) {
                throw fault
            }
            return nil
        }
        return try begin(checked, options)
    }

    /// What keeps the store from working, whatever the sync.
    private static let storeFaults: Set<Fault.Code> = [
        .closed, .suspended, .busy, .corrupt, .inputOutput, .diskFull, .readOnly, .sqlError, .storeNotFound,
        .notADatabase, .wrongKey,
    ]

    /// Takes work again, and puts runs into the queue, one behind the other.
    @discardableResult
    private func accept(_ runs: [PreparedRun]) throws(Fault) -> [QueuedRun] {
        let result = shared.withLock { shared -> Result<[QueuedRun], Fault> in
            guard !shared.isClosed else { return .failure(Self.closedManager) }
            guard shared.state != .acceptingSyncs else { return .failure(Self.runningManager) }
            guard runs.isEmpty || !shared.options.refusesToWait || queue.first == 0 else {
                return .failure(Self.otherRun)
            }
            shared.state = .acceptingSyncs
            return .success(
                runs.map { run in
                    let active = ActiveRun(control: RunControl(), ticket: queue.enter(), state: run.state)
                    shared.active[run.state.id] = active
                    return QueuedRun(prepared: run, active: active)
                })
        }
        return try result.get()
    }

    /// Takes runs out of the queue whose rows could not be written, and stops the manager again.
    private func withdraw(_ runs: [QueuedRun]) {
        let tickets = Set(runs.map(\.active.ticket))
        shared.withLock { shared in
            shared.active = shared.active.filter { !tickets.contains($0.value.ticket) }
            shared.state = shared.active.isEmpty ? .stopped : .stopRequested
        }
        for ticket in tickets {
            queue.leave(ticket)
        }
    }

    private func isActive(_ id: Int64) -> Bool { shared.withLock { $0.active[id] != nil } }

    private static let runningManager = Fault(
        .syncManagerRunning, "the sync manager was not stopped; nothing is restarted")
}
