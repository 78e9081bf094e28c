import LocalChanges
import OfflineStore
import Soups
import Synchronization

/// One run of a sync up over single records: finds the rows with local changes, sends them batch by batch, and saves
/// what became of each.
///
/// One task uses it.
final class UpRun: SyncRun {
    let part: UpPart
    let sender: any BatchSender
    let context: UpContext
    let progress: UpProgress
    let options: SyncManagerOptions
    private let holdsDoubts: Bool

    init(_ plan: UpPlan, sender: any BatchSender, context: UpContext, progress: UpProgress, options: SyncManagerOptions)
    {
        part = plan.part
        self.sender = sender
        self.context = context
        self.progress = progress
        self.options = options
        holdsDoubts = plan.definition.doubt == .hold && !sender.hasIdempotentCreates
    }

    var finalState: SyncState { progress.finalState(context.link) }
    func end(_ error: any Error) { progress.end(error) }

    private var control: RunControl { context.link.control }
    private var asks: Bool { context.mergeMode == .leaveIfChanged && sender.isAsked }
    private var store: SmartStore { context.store }

    /// Runs to the end.
    func run() async throws {
        let part = part
        let (store, soup) = (store, part.soup)
        let (sender, context) = (sender, context)
        var rows = try await store.readingToTheEnd {
            try DirtyRows(store, soup: soup, chosen: sender.dirtyIds(context))
        }
        progress.begin(total: rows.count)
        try await OrphanedDoubts(store, soup: soup).forget(progress)
        try await requireFields(rows)
        while true {
            let current = rows
            let (page, next) = try await store.readingToTheEnd {
                var rows = current
                let page = try rows.next()
                return (page, rows)
            }
            guard !page.isEmpty else { break }
            rows = next
            try await push(page)
        }
        progress.finish()
    }

    /// Looks, before anything is sent, for a row of which no fields are named.
    private func requireFields(_ all: DirtyRows) async throws {
        let part = part
        let (store, holdsDoubts) = (store, holdsDoubts)
        guard !part.sendsAllFields, part.createFields == nil || part.updateFields == nil else { return }
        try await store.readingToTheEnd {
            var rows = all
            while true {
                let ids = try rows.next(200)
                guard !ids.isEmpty else { return }
                // Nothing is sent of a row that is held.
                let held = holdsDoubts ? try Outbox(store).noted(soup: part.soup, among: ids) : [:]
                for id in ids where held[id] == nil {
                    guard let bytes = try store.retrieve(id: id, from: part.soup) else { continue }
                    _ = try part.task(of: RowText(bytes))
                }
            }
        }
    }

    // MARK: - Pages and batches

    private func push(_ page: [Int64]) async throws {
        var queue = UpQueue(rows: page[...])
        if asks, !sender.asksSingly {
            try control.check()
            try await ask(page, &queue)
        }
        try control.check()
        while !queue.isEmpty {
            if asks {
                try await askFirst(&queue)
            }
            try await pushBatch(&queue)
            // Also after the last batch, as a sync down looks after its last page.
            try control.check()
        }
    }

    /// Asks about the rows at the head of the queue that are not yet asked about.
    private func askFirst(_ queue: inout UpQueue) async throws {
        if sender.asksSingly {
            guard let first = queue.first else { return }
            try await askSingly(first, &queue)
        } else if let first = queue.first, queue.unasked.contains(first) {
            let again = queue.next
            queue.unasked.subtract(again)
            try await ask(again, &queue)
        }
    }

    private func ask(_ rows: [Int64], _ queue: inout UpQueue) async throws {
        let answer = try await FreshnessPage(context, progress, holdsDoubts: holdsDoubts, uuids: options.uuids).ask(
            rows)
        queue.verdicts.merge(answer.verdicts) { $1 }
        queue.unasked.formUnion(answer.unasked)
    }

    private func askSingly(_ entryId: Int64, _ queue: inout UpQueue) async throws {
        let (part, store, holdsDoubts) = (part, store, holdsDoubts)
        let record = try await store.readingToTheEnd { () -> PendingRecord? in
            guard try !holdsDoubts || Outbox(store).noted(soup: part.soup, among: [entryId]).isEmpty else { return nil }
            return try FreshnessPage.record(entryId, part, store)
        }
        guard let record else { return }
        let verdict = try await sender.verdict(record, context)
        queue.verdicts[entryId] = verdict
        if case .applied(let date) = verdict {
            let saver = OutcomeSaver(part: part, store: store, uuids: options.uuids)
            try await progress.settle {
                var effects = try saver.save([.init(record: record, settlement: .applied(date: date))])
                effects.settled += 1
                effects.summary.applied += 1
                return effects
            }
        }
    }

    private func pushBatch(_ queue: inout UpQueue) async throws {
        let preparation = BatchPreparation(
            part: part, store: store, syncId: context.syncId, limit: sender.batchSize, holdsDoubts: holdsDoubts,
            uuids: options.uuids, now: options.clock.now())
        // A question is asked for one row at a time: no further row has a verdict yet.
        let (rows, most) = (queue, asks && sender.asksSingly ? 1 : Int.max)
        let batch = try await progress.prepare { try preparation.next(rows, most: most) }
        queue.drop(batch.taken, waiting: batch.waiting)
        guard !batch.records.isEmpty else { return }
        let push = BatchPush(self, preparation)
        let gone = try await push.send(batch.records)
        guard !gone.isEmpty else { return }
        let again = RecreationPreparation(batch: preparation)
        let second = try await progress.prepare { try again.next(gone) }
        progress.pass(gone.count - second.taken)
        if !second.records.isEmpty {
            _ = try await push.send(second.records)
        }
    }
}
