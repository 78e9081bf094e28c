import OfflineStore
import Soups

// MARK: - Ghosts
extension SyncManager {
    /// Removes ghosts: clean rows that a sync down brought and that its target no longer finds on the service.
    ///
    /// All ids of the service are listed first; nothing is removed if that fails. Rows with local changes stay. Without
    /// an index on `__sync_id__` every clean row of the soup counts as brought by this sync.
    ///
    /// - Returns: The number of rows removed; for parent-children that of the parents.
    /// - Throws: as `reSync`; `wrongSyncType` for a sync up; `unsupported` for a custom target that cannot list its
    ///   ids; what failed on the way.
    @discardableResult
    public func cleanResyncGhosts(_ sync: SyncReference) async throws -> Int {
        let id = try await requireSync(sync)
        let run = try activate(id)
        defer { deactivate(run) }
        let (rows, options) = (rows, options)
        let (state, target) = try await store.readingToTheEnd {
            guard let row = try rows.row(.id(id)) else { throw Self.notFound }
            let state = try SyncState(row: row)
            guard state.type == .down else {
                throw Fault(.wrongSyncType, "only a sync down has ghosts")
            }
            let target = try options.targets.downTarget(state.target)
            try target.checkSoups(SoupCheck(rows.store, soup: state.soupName), mergeMode: .leaveIfChanged)
            return (state, target)
        }
        try requireTurn(of: run, options)
        send(.queued(sync: id))
        let link = ServiceLink(
            transport, control: run.control, clock: options.clock, answerLimit: options.answerLimit
        ) { [self] in send($0) }
        let context = DownContext(state, store: store, options: options, link: link)
        return try await withTaskCancellationHandler {
            await queue.turn(of: run.ticket)
            do {
                try run.control.check()
                let removed = try await GhostRun(target, context: context).run()
                send(.ghostsRemoved(sync: id, count: removed))
                return removed
            } catch {
                guard !run.control.isEnd(error) else { throw Self.stoppedManager }
                throw FailedCall(error).fault
            }
        } onCancel: {
            run.control.cancel()
        }
    }
}
