import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Sends the calls of a batch, and saves what became of its records after each.
struct BatchPush {
    private let run: UpRun
    private let preparation: BatchPreparation
    private let saver: OutcomeSaver

    init(_ run: UpRun, _ preparation: BatchPreparation) {
        self.run = run
        self.preparation = preparation
        saver = OutcomeSaver(part: preparation.part, store: preparation.store, uuids: preparation.uuids)
    }

    /// Sends records. Returns the rows whose records are gone and must be created again.
    func send(_ records: [PendingRecord]) async throws -> [Int64] {
        var gone: [Int64] = []
        var unsent = Set(records.indices)
        for call in run.sender.calls(records, run.context) {
            let own = call.map { records[$0] }
            let results = try await answered(own, unsent: unsent.subtracting(call).map { records[$0] })
            unsent.subtract(call)
            gone += try await save(own, results)
            if let failure = results.lazy.compactMap(\.failure).first {
                throw failure
            }
        }
        return gone
    }

    /// Sends the records of one call. If it fails, the notes of creations are forgotten that the service cannot have
    /// made.
    private func answered(_ records: [PendingRecord], unsent: [PendingRecord]) async throws -> [RecordResult] {
        let before = run.context.link.counts.requests
        var hasBegun = false
        do {
            try run.context.link.control.check()
            hasBegun = run.sender.isCustom
            let results = try await run.sender.send(records, run.context)
            guard results.count == records.count else {
                throw Fault(.malformedAnswer, "the target answered with another number of outcomes than records")
            }
            return results
        } catch {
            let wasSent = run.context.link.counts.requests > before || hasBegun
            let isInDoubt = wasSent && CreationOutcome.isInDoubt(after: error)
            let forgotten = (unsent + (isInDoubt ? [] : records)).filter(\.isNoted).map(\.entryId)
            if !forgotten.isEmpty {
                let (store, part) = (preparation.store, preparation.part)
                // Whatever becomes of this, the run ends with the failure of the call.
                _ = try? await store.writingToTheEnd {
                    guard try part.isPresent(in: store) else { return }
                    try Outbox(store).remove(soup: part.soup, entryIds: forgotten)
                }
            }
            throw error
        }
    }

    private func save(_ records: [PendingRecord], _ results: [RecordResult]) async throws -> [Int64] {
        var items: [OutcomeSaver.Item] = []
        var effects = UpEffects()
        var gone: [Int64] = []
        var counts = BatchCounts()
        for (record, result) in zip(records, results) where result.failure == nil {
            if case .gone = result.outcome, run.context.mergeMode == .overwrite, !record.isRecreation,
                record.operation == .update, preparation.part.createFields != nil || preparation.part.sendsAllFields
            {
                gone.append(record.entryId)
                continue
            }
            let item = item(record, result, &effects)
            counts.note(record, item.settlement)
            items.append(item)
            effects.settled += 1
        }
        let (saver, own, saved) = (saver, effects, items)
        let done = try await run.progress.settle {
            var effects = own
            effects.add(try saver.save(saved))
            return effects
        }
        run.progress.send(counts.event(run.context.syncId, done.summary))
        return gone
    }

    /// What the row of a record becomes.
    private func item(
        _ record: PendingRecord, _ result: RecordResult, _ effects: inout UpEffects
    ) -> OutcomeSaver.Item {
        let soup = preparation.part.soup
        switch result.outcome {
        case .created(let id):
            effects.summary.pushed += 1
            if record.isRecreation {
                effects.summary.recreated += 1
            } else {
                effects.summary.created += 1
            }
            return .init(record: record, settlement: .created(id: id))
        case .done:
            effects.summary.pushed += 1
            return .init(record: record, settlement: .done)
        case .gone where record.operation == .delete:
            effects.summary.pushed += 1
            return .init(record: record, settlement: .done)
        case .gone where record.isRecreation: return refusal(record, LocalError.rejectedTwice.json, &effects)
        case .gone:
            guard run.sender.refusesGone || run.context.mergeMode == .overwrite else {
                effects.events.append(.recordLeft(soup: soup, entryId: record.entryId, reason: .gone))
                return .init(record: record, settlement: .kept)
            }
            return refusal(record, result.error ?? LocalError.rejectedTwice.json, &effects)
        case .left:
            effects.summary.left += 1
            effects.events.append(.recordLeft(soup: soup, entryId: record.entryId, reason: .target))
            return .init(record: record, settlement: .kept)
        case .refused(let error): return refusal(record, error, &effects)
        case .noAnswer:
            var item = refusal(record, LocalError.noAnswer.json, &effects)
            item.isInDoubt = record.operation == .create
            return item
        }
    }

    private func refusal(
        _ record: PendingRecord, _ error: JSONObject, _ effects: inout UpEffects
    ) -> OutcomeSaver.Item {
        effects.summary.refused += 1
        effects.events.append(
            .recordRefused(
                soup: preparation.part.soup, entryId: record.entryId, code: ServiceError.shortCode(error)))
        return .init(record: record, settlement: .refused(error))
    }
}

/// The numbers of one answer, for its event.
private struct BatchCounts {
    private var creates = 0
    private var updates = 0
    private var upserts = 0
    private var deletes = 0
    private var succeeded = 0

    mutating func note(_ record: PendingRecord, _ settlement: OutcomeSaver.Settlement) {
        switch (record.operation, record.key) {
        case (.create, nil): creates += 1
        case (.create, _?): upserts += 1
        case (.update, _): updates += 1
        case (.delete, _): deletes += 1
        }
        switch settlement {
        case .created, .done, .applied: succeeded += 1
        case .refused, .kept: break
        }
    }

    func event(_ sync: Int64, _ summary: SyncSummary) -> SyncEvent {
        .batch(
            sync: sync, creates: creates, updates: updates, upserts: upserts, deletes: deletes, succeeded: succeeded,
            refused: summary.refused, left: summary.left, held: summary.held)
    }
}
