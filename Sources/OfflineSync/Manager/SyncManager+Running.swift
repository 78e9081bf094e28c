public import JSONText
import OfflineStore
import Soups
import Synchronization

// MARK: - Running
extension SyncManager {
    /// Receives each update of a run, on the task of the run.
    public typealias Observer = @Sendable (SyncState) -> Void

    /// Stores a new sync and runs it. Nothing is stored if it cannot run.
    ///
    /// - Throws: as `createSync` and `reSync`.
    @discardableResult
    public func sync(
        _ type: SyncType, target: JSONObject, soup: String, options: SyncOptions = SyncOptions(), name: String? = nil,
        observer: Observer? = nil
    ) async throws -> SyncState {
        let registry = self.options.targets
        let new = SyncState(
            type: type, name: name, soupName: soup, target: try registry.normalized(target, type: type),
            options: options, status: .new)
        return try await withRun(of: nil, observer) { rows throws(Fault) in
            try Self.requireFree(name, rows)
            return new
        }
    }

    /// Runs a sync again, and waits until it has ended. A target that can asks only for what is newer than the stamp.
    ///
    /// - Returns: The final state: done, stopped or failed. Code and text of a failure are in it.
    /// - Throws: `syncNotFound`, `invalidSync`, `unknownTarget`, `syncRunning`, `syncManagerStopped`, `soupNotFound`,
    ///   `pathNotIndexed` with soup and path.
    @discardableResult
    public func reSync(_ sync: SyncReference, observer: Observer? = nil) async throws -> SyncState {
        let id = try await requireSync(sync)
        return try await withRun(of: id, observer) { rows throws(Fault) in
            guard let row = try rows.row(.id(id)) else { throw Self.notFound }
            return try SyncState(row: row)
        }
    }

    /// Stops the manager. The page that each run is at is finished and saved.
    ///
    /// - Returns: `stopped` if nothing was under way, else `stopRequested`.
    @discardableResult
    public func stop() -> SyncManagerState {
        let (state, controls) = shared.withLock { shared -> (SyncManagerState, [RunControl]) in
            shared.state = shared.active.isEmpty ? .stopped : .stopRequested
            return (shared.state, shared.active.values.map(\.control))
        }
        for control in controls {
            control.stop()
        }
        return state
    }

    /// Asks one run to stop, and cancels its request. Does nothing if the sync does not run.
    public func cancel(_ id: Int64) {
        shared.withLock { $0.active[id]?.control }?.cancel()
    }
}

// MARK: - One run
extension SyncManager {
    /// The id of a sync whose row can be read.
    func requireSync(_ sync: SyncReference) async throws -> Int64 {
        try requireOpen()
        let rows = rows
        let row = try await store.readingToTheEnd { try rows.row(sync) }
        guard let row else { throw Self.notFound }
        return try SyncState(row: row).id
    }

    /// Takes a ticket of the queue for a sync.
    func activate(_ id: Int64) throws(Fault) -> ActiveRun {
        let result = shared.withLock { shared -> Result<ActiveRun, Fault> in
            if shared.isClosed {
                return .failure(Self.closedManager)
            }
            if shared.active[id] != nil {
                return .failure(Self.running)
            }
            if shared.state != .acceptingSyncs {
                return .failure(Self.stoppedManager)
            }
            let run = ActiveRun(control: RunControl(), ticket: queue.enter())
            shared.active[id] = run
            return .success(run)
        }
        return try result.get()
    }

    /// Takes what has ended off the list.
    func deactivate(_ run: ActiveRun) {
        shared.withLock { shared in
            shared.active = shared.active.filter { $0.value.ticket != run.ticket }
            if shared.active.isEmpty, shared.state == .stopRequested {
                shared.state = .stopped
            }
        }
        queue.leave(run.ticket)
    }

    /// Refuses a run that would wait for another one, if the options say so.
    func requireTurn(of run: ActiveRun, _ options: SyncManagerOptions) throws(Fault) {
        guard options.refusesToWait, queue.first != run.ticket else { return }
        throw Self.otherRun
    }

    static let otherRun = Fault(
        .busy, "another run is under way, and nothing may wait for it: call again when it has ended")
    static let closedManager = Fault(.closed, "the sync manager was closed")
    static let stoppedManager = Fault(.syncManagerStopped, "the sync manager was stopped; restart it first")

    /// Queues a run, waits for its turn, runs it, and returns its final state.
    ///
    /// - Parameters:
    ///   - id: The sync; nil for one that is stored now.
    ///   - load: Gives the sync, in the transaction that marks it as running.
    private func withRun(
        of id: Int64?, _ observer: Observer?,
        _ load: @escaping @Sendable (SyncRows) throws(Fault) -> SyncState
    ) async throws -> SyncState {
        let queued = try await queueRun(of: id, load)
        send(.queued(sync: queued.prepared.state.id))
        observer?(queued.prepared.state)
        return await complete(queued, observer)
    }

    /// Queues a run: from now on its row says that it is running.
    private func queueRun(
        of id: Int64?, _ load: @escaping @Sendable (SyncRows) throws(Fault) -> SyncState
    ) async throws -> QueuedRun {
        // A new sync has no id yet: its run is kept under a number that no row has.
        let key = id ?? Self.newSyncs.next()
        let run = try activate(key)
        do {
            let prepared = try await store.writingToTheEnd { [self] in
                let options = options
                let checked = try check(load(rows), options)
                try requireTurn(of: run, options)
                let prepared = try begin(checked, options)
                // Before others can see the row, so that none of them runs it too.
                shared.withLock { shared in
                    var active = run
                    active.state = prepared.state
                    shared.active[key] = nil
                    shared.active[prepared.state.id] = active
                }
                return prepared
            }
            return QueuedRun(prepared: prepared, active: run)
        } catch {
            deactivate(run)
            throw error
        }
    }

    /// Waits for the turn of a queued run, runs it, and returns its final state.
    func complete(_ queued: QueuedRun, _ observer: Observer?) async -> SyncState {
        await withTaskCancellationHandler {
            await run(queued.prepared, queued.active, observer)
        } onCancel: {
            queued.active.control.cancel()
        }
    }

    /// Numbers for the runs of new syncs, below zero.
    private static let newSyncs = Counter()

    /// A run whose row says that it is running.
    struct PreparedRun: Sendable {
        var state: SyncState
        /// What it was before.
        let former: SyncState
        let target: RunTarget
    }

    /// A run that has its place in the queue.
    struct QueuedRun: Sendable {
        let prepared: PreparedRun
        let active: ActiveRun
    }

    /// What a run works with.
    enum RunTarget: Sendable {
        case down(any DownTarget)
        case up(UpPlan)
    }

    /// A sync that can run.
    struct CheckedSync {
        let state: SyncState
        let target: RunTarget
    }

    /// Checks what a run needs. Inside a transaction of the caller.
    func check(_ sync: SyncState, _ options: SyncManagerOptions) throws -> CheckedSync {
        var state = sync
        try state.noteSoups(of: store)
        return CheckedSync(state: state, target: try Self.target(of: state, options.targets, store))
    }

    /// Marks a sync as running. Inside the transaction in which it was checked.
    func begin(_ checked: CheckedSync, _ options: SyncManagerOptions) throws(Fault) -> PreparedRun {
        var state = checked.state
        state.begin(at: options.clock.now())
        return PreparedRun(state: try rows.write(state), former: checked.state, target: checked.target)
    }

    /// The target of a sync whose soups have what a run needs.
    private static func target(
        of sync: SyncState, _ registry: TargetRegistry, _ store: SmartStore
    ) throws -> RunTarget {
        let check = SoupCheck(store, soup: sync.soupName)
        switch sync.type {
        case .down:
            let target = try registry.downTarget(sync.target)
            try target.checkSoups(check, mergeMode: sync.options.mergeMode)
            return .down(target)
        case .up:
            let plan = try UpPlan(sync, registry: registry)
            try plan.checkSoups(check)
            return .up(plan)
        }
    }

    private func work(
        _ prepared: PreparedRun, _ link: ServiceLink, _ options: SyncManagerOptions,
        _ publish: @escaping @Sendable (SyncState) -> Void
    ) -> any SyncRun {
        switch prepared.target {
        case .down(let target):
            let context = DownContext(
                prepared.state, store: store, options: options, link: link, former: prepared.former.status)
            return DownRun(prepared, target: target, context: context, options: options, publish: publish)
        case .up(let plan):
            let basePath = "/services/data/" + options.version
            let context = UpContext(prepared.state, store: store, basePath: basePath, part: plan.part, link: link)
            let progress = UpProgress(prepared.state, store: store, options: options, publish: publish)
            return plan.run(context, progress, options)
        }
    }

    private func run(_ prepared: PreparedRun, _ run: ActiveRun, _ observer: Observer?) async -> SyncState {
        let id = prepared.state.id
        let options = options
        let link = ServiceLink(
            transport, control: run.control, clock: options.clock, answerLimit: options.answerLimit
        ) { [self] in send($0) }
        let work = work(prepared, link, options) { [self] state in
            shared.withLock { $0.active[id]?.state = state }
            observer?(state)
        }
        await queue.turn(of: run.ticket)
        do {
            try run.control.check()
            // Its turn may come after the manager was dropped.
            guard !shared.withLock({ $0.isClosed }) else { throw RunStopped() }
            send(.started(sync: id))
            try await work.run()
        } catch {
            work.end(run.control.isEnd(error) ? RunStopped() : error)
        }
        let final = await finish(work.finalState)
        deactivate(run)
        send(.finished(sync: id, status: final.status, code: final.errorCode))
        observer?(final)
        return final
    }

    /// Writes the final state. Where even that fails, the state says what happened all the same, and the manager
    /// remembers it.
    private func finish(_ state: SyncState) async -> SyncState {
        let rows = rows
        let isClosed = shared.withLock { $0.isClosed }
        do {
            try await store.writingToTheEnd { _ = try rows.write(state) }
            shared.withLock { $0.unwritten[state.id] = nil }
        } catch {
            var failed = state
            if state.status == .done {
                failed.end(.failed, at: state.endTime)
                let fault = error as? Fault
                failed.errorCode = fault?.code ?? .closed
                failed.failure = fault
                failed.error = isClosed ? "" : FailedCall(fault: fault ?? Fault(.closed, "the store is closed")).rowText
            }
            shared.withLock { [failed] in $0.unwritten[failed.id] = failed }
            return failed
        }
        return state
    }
}
