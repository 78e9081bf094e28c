import OfflineStore
import Soups
import Synchronization

/// One run of a sync down: asks for pages, saves each with the row of the sync, and makes the stamp.
///
/// One task uses it.
final class DownRun: SyncRun {
    private struct State {
        var sync: SyncState
        var stamp: TimeStamp
        var bytes = 0
        var pages = 0
        /// What this run has left of trees; what former runs have left comes with this one.
        var leftBound: Int64?
    }

    private let target: any DownTarget
    private let context: DownContext
    private let options: SyncManagerOptions
    private let bound: Int64
    private let publish: @Sendable (SyncState) -> Void
    private let state: Mutex<State>

    init(
        _ prepared: SyncManager.PreparedRun, target: any DownTarget, context: DownContext, options: SyncManagerOptions,
        publish: @escaping @Sendable (SyncState) -> Void
    ) {
        self.target = target
        self.context = context
        self.options = options
        self.publish = publish
        // A run that replaces all rows needs the whole set each time.
        bound = target.replacesAll ? -1 : TimeStamp.bound(of: prepared.former, overlap: options.overlap)
        let stamp = TimeStamp(
            stored: prepared.state.maxTimeStamp, isOrdered: target.isOrderedByModification && !target.replacesAll)
        state = Mutex(State(sync: prepared.state, stamp: stamp))
    }

    /// The state of the sync when the run has ended.
    var finalState: SyncState {
        state.withLock { state in
            state.sync.summary.requests = context.link.counts.requests
            state.sync.summary.bytes = context.link.counts.bytes
            return state.sync
        }
    }

    /// Runs to the end.
    func run() async throws {
        var page = try await target.start(context, since: bound)
        let total = max(page?.total ?? 0, 0)
        let begun = state.withLock { state in
            if options.usesDateHeader, let time = context.link.serverTime {
                state.stamp.limit(serverTime: time)
            }
            state.sync.totalSize = total
            return state.sync
        }
        publish(begun)
        var kept: [DownPage] = []
        while let current = page, !current.isUnasked {
            try count(current)
            if target.replacesAll {
                kept.append(current)
            } else {
                try await save([current], isLast: current.isLast)
            }
            try context.link.control.check()
            page = current.isLast ? nil : try await target.next(context, after: current)
        }
        if target.replacesAll {
            try await save(kept, isLast: true)
        }
        state.withLock { state in
            state.stamp.rise(isLastPage: true)
            state.sync.maxTimeStamp = max(state.sync.maxTimeStamp, state.stamp.stored)
            state.sync.leftBound = state.leftBound
            state.sync.progress = 100
            state.sync.end(.done, at: options.clock.now())
        }
    }

    /// Ends a run that did not come to its end.
    func end(_ error: any Error) {
        state.withLock { $0.sync.end(error, at: options.clock.now()) }
    }

    /// Counts what came, against the limits of a run.
    private func count(_ page: DownPage) throws(Fault) {
        let (fetched, pages, bytes) = state.withLock { state in
            state.sync.summary.fetched += page.records.count
            state.pages += 1
            state.bytes += page.bytes.count
            return (state.sync.summary.fetched, state.pages, state.bytes)
        }
        // Pages without a record count too: a service that sends them for ever must end.
        guard max(fetched, pages) <= options.recordLimit else {
            throw Fault(.limitExceeded, "the run has more than \(options.recordLimit) records; raise recordLimit")
        }
        guard !target.replacesAll || bytes <= options.answerLimit else {
            throw Fault(.limitExceeded, "the set to replace has more than \(options.answerLimit) bytes")
        }
        if page.unreadableDates > 0 {
            options.events?(.unreadableDates(sync: context.syncId, count: page.unreadableDates))
        }
    }

    /// Saves pages with the row of the sync, in one transaction. Only then do the numbers count.
    private func save(_ pages: [DownPage], isLast: Bool) async throws {
        let (before, oldStamp) = state.withLock { ($0.sync, $0.stamp) }
        var stamp = oldStamp
        for page in pages {
            if let newest = page.newest {
                stamp.note(newest: newest)
            } else {
                stamp.note(page.records.lazy.compactMap(\.modified))
            }
        }
        stamp.rise(isLastPage: isLast)
        var sync = before
        sync.maxTimeStamp = max(sync.maxTimeStamp, stamp.stored)
        let done = sync.summary.fetched
        let isPartial = done < sync.totalSize
        if isPartial {
            sync.progress = Int(Int64(done) * 100 / Int64(sync.totalSize))
        }
        let (target, context) = (target, context)
        let row = sync
        let left = try await context.store.writingToTheEnd {
            try PageTransaction(target, context).save(pages, row: row)
        }
        let records = pages.reduce(0) { $0 + $1.records.count }
        sync.summary.skipped += left.count
        sync.summary.saved += records - left.count
        sync.keep(bound: left.bound)
        let (saved, raised) = (sync, stamp)
        state.withLock { state in
            state.sync = saved
            state.stamp = raised
            if let bound = left.bound {
                state.leftBound = min(state.leftBound ?? bound, bound)
            }
        }
        options.events?(
            .page(
                sync: context.syncId, records: records, saved: records - left.count, skipped: left.count,
                stamp: sync.maxTimeStamp))
        if isPartial, !target.replacesAll {
            publish(sync)
        }
    }
}
