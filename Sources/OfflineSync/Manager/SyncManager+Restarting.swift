import Soups
import Synchronization

// MARK: - Restarting
extension SyncManager {
    /// Lets the manager take work again.
    ///
    /// If it is asked to, every stopped sync is run again, in the order of ids: all are queued at once, and a stop
    /// request in the meantime is also for those whose turn has not come. The call waits for them. One that cannot run
    /// is passed over.
    ///
    /// - Returns: The final states of those runs.
    /// - Throws: `syncManagerRunning` if it was not stopped.
    @discardableResult
    public func restart(restartStoppedSyncs: Bool = false, observer: Observer? = nil) async throws -> [SyncState] {
        try requireOpen()
        let isAccepting = shared.withLock { shared in
            defer { shared.state = .acceptingSyncs }
            return shared.state == .acceptingSyncs
        }
        guard !isAccepting else {
            throw Fault(.syncManagerRunning, "the sync manager was not stopped; nothing is restarted")
        }
        guard restartStoppedSyncs else { return [] }
        var ended: [SyncState] = []
        for run in await queueAll(try await syncs(with: .stopped), observer) {
            ended.append(await complete(run, observer))
        }
        return ended
    }

    /// Queues a run of each of these syncs; one that cannot run, for whatever fault, is passed over. After a stop
    /// request, or once the store is closed, no more are queued.
    private func queueAll(_ syncs: [SyncState], _ observer: Observer?) async -> [QueuedRun] {
        var queued: [QueuedRun] = []
        for id in syncs.map(\.id) {
            do {
                queued.append(
                    try await queueRun(of: id, behind: queued, observer) { rows throws(Fault) in
                        guard let row = try rows.row(.id(id)) else { throw Self.notFound }
                        return try SyncState(row: row)
                    })
            } catch let fault as Fault where ![.syncManagerStopped, .closed].contains(fault.code) {
                continue
            } catch {
                break
            }
        }
        return queued
    }
}
