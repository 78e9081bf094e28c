import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Sends the calls of one tree, and saves what became of its rows after each.
struct TreePush: Sendable {
    let trees: TreeParts
    let tree: TreeState
    let preparation: TreeCallPreparation
    let context: UpContext
    let progress: UpProgress
    /// The children with the id of a row that is sent before them: they are asked about after that.
    var unasked: Set<Int64> = []
    private var store: SmartStore { context.store }
    private var saver: TreeSaver { TreeSaver(trees: trees, store: store, uuids: preparation.parent.uuids) }

    /// What a first run found gone.
    struct Gone: Sendable {
        /// Whether the parent must be created again.
        var parent = false
        /// The children that must be created again.
        var children: [Int64] = []
        /// The children that may have been created: they are not sent again.
        var inDoubt: Set<Int64> = []
        /// The id of the parent that was created; nil if none was.
        var parentId: String?

        var isEmpty: Bool { !parent && children.isEmpty }
    }

    /// Sends rows in calls of at most 25.
    ///
    /// - Parameter first: What a first run of these rows found gone, nil in that run: none of them is sent a third
    ///   time.
    func send(_ members: [TreeMember], after first: Gone? = nil) async throws -> Gone {
        let isSecond = first != nil
        var rest = members[...]
        var gone = Gone()
        // Its row may be gone: the app has removed it, or another row with the id has taken its place.
        gone.parentId = first?.parentId
        var unasked = unasked
        while let next = rest.first {
            try context.link.control.check()
            if !next.isParent, unasked.remove(next.entryId) != nil, try await !maySend(next.entryId) {
                rest = rest.dropFirst()
                continue
            }
            let (preparation, waiting, later, store) = (preparation, rest, unasked, store)
            let parentId = gone.parentId
            let call = try await store.writingToTheEnd {
                try preparation.next(waiting, unasked: later, parentId: parentId)
            }
            progress.apply(call.effects)
            gone.inDoubt.formUnion(call.held)
            rest = rest.dropFirst(call.taken)
            guard !call.records.isEmpty else { continue }
            let results = try await answered(call)
            let saved = try await save(call, results, isSecond: isSecond)
            if let failure = results.lazy.compactMap(\.failure).first {
                throw failure
            }
            gone.parent = gone.parent || saved.gone.parent
            gone.parentId = saved.gone.parentId ?? gone.parentId
            gone.children += saved.gone.children
            gone.inDoubt.formUnion(saved.gone.inDoubt)
            // Children would refer to a parent that the service does not have.
            guard !saved.isParentRefused else { break }
        }
        return gone
    }

    /// Asks about a child whose id a row that was sent before has. Saves what became of it if it is not to be sent.
    private func maySend(_ entryId: Int64) async throws -> Bool {
        let (trees, store, saver) = (trees, store, saver)
        let text = try await store.readingToTheEnd { try trees.text(entryId, isParent: false, store) }
        guard let text else { return true }
        switch try await TreeQuestion(trees, context).verdict(onChild: text, of: tree) {
        case .push(let applied, _):
            guard !applied.isEmpty else { return true }
            try await progress.settle { try saver.save(applied) }
        case .leave(let reason):
            var effects = UpEffects()
            effects.summary.left += 1
            effects.events.append(.recordLeft(soup: trees.children.soup, entryId: entryId, reason: reason))
            progress.apply(effects)
        }
        return false
    }

    /// Sends one call. If it fails, the notes of creations are forgotten that the service cannot have made.
    private func answered(_ call: TreeCallPreparation.Call) async throws -> [RecordResult] {
        let before = context.link.counts.requests
        do {
            let parts = call.records.map { record, _ in
                let call = RecordCall(record, context)
                return CompositeCall.Part(method: call.method, path: call.path, body: call.body)
            }
            let answers = try await CompositeCall(context).send(parts)
            var results = CallResults(context)
            for (sent, answer) in zip(call.records, answers) {
                let part = sent.isParent ? trees.parent : trees.children
                await results.add(
                    CompositeTarget.result(sent.record, answer), of: sent.record, idField: part.idField)
            }
            return results.all
        } catch {
            let wasSent = context.link.counts.requests > before
            if !wasSent || !CreationOutcome.isInDoubt(after: error) {
                let (trees, store) = (trees, store)
                let noted = call.records.filter(\.record.isNoted).map { ($0.record.entryId, $0.isParent) }
                if !noted.isEmpty {
                    // Whatever becomes of this, the run ends with the failure of the call.
                    _ = try? await store.writingToTheEnd {
                        for (entryId, isParent) in noted {
                            let part = isParent ? trees.parent : trees.children
                            guard try part.isPresent(in: store) else { continue }
                            try Outbox(store).remove(soup: part.soup, entryIds: [entryId])
                        }
                    }
                }
            }
            throw error
        }
    }

    // MARK: - Saving

    private struct Saved {
        var gone = Gone()
        var isParentRefused = false
    }

    private func save(
        _ call: TreeCallPreparation.Call, _ results: [RecordResult], isSecond: Bool
    ) async throws -> Saved {
        var saved = Saved()
        var outcomes = TreeOutcomes(trees: trees)
        let parentResult = zip(call.records, results).first { $0.0.isParent }
        let isParentMissing = isMissing(parentResult.map { ($0.0.record, $0.1) })
        let mayRecreate = context.mergeMode == .overwrite && !isSecond
        for ((record, isParent), result) in zip(call.records, results) {
            guard result.failure == nil else {
                outcomes.keep(record, isParent)
                continue
            }
            switch result.outcome {
            case .created(let id) where isParent: saved.gone.parentId = id
            case .noAnswer where !isParent && record.operation == .create:
                saved.gone.inDoubt.insert(record.entryId)
            case .created, .done, .gone, .left, .refused, .noAnswer: break
            }
            if mayRecreate, asksForSecondRun(record, isParent, result, &saved.gone) {
                outcomes.keep(record, isParent)
                continue
            }
            // It failed because it refers to the parent, whose row has the error.
            if !isParent, isParentMissing, call.createsParent, isReferenceFailure(record, result) {
                outcomes.keep(record, isParent)
                continue
            }
            if !isParent, tree.task == .nothing, context.mergeMode == .leaveIfChanged, result.isRelatedGone {
                // Nothing is saved of what is gone, as of a record of its own that is.
                outcomes.keep(record, isParent)
                continue
            }
            outcomes.add(record, isParent, result, refusesGone: context.mergeMode == .overwrite)
        }
        saved.isParentRefused = call.createsParent && isParentMissing
        let (saver, final, tree) = (saver, outcomes, tree)
        try await progress.settle { try saver.save(final, tree) }
        return saved
    }

    /// Whether the parent was sent and the service does not have it now.
    private func isMissing(_ sent: (record: PendingRecord, result: RecordResult)?) -> Bool {
        guard let sent, sent.record.operation == .create else { return false }
        if case .created = sent.result.outcome { return false }
        return true
    }

    /// Whether the service refused a child of a parent that it does not have. A deletion does not refer to the parent,
    /// and a missing answer says nothing.
    private func isReferenceFailure(_ record: PendingRecord, _ result: RecordResult) -> Bool {
        switch result.outcome {
        case .refused, .gone, .left: record.operation != .delete
        case .created, .done, .noAnswer: false
        }
    }

    /// Whether a record is gone and must be created again with a second run.
    private func asksForSecondRun(
        _ record: PendingRecord, _ isParent: Bool, _ result: RecordResult, _ gone: inout Gone
    ) -> Bool {
        switch result.outcome {
        case .gone where record.operation == .update && isParent:
            guard trees.parent.createFields != nil else { return false }
            gone.parent = true
            return true
        case .gone where record.operation == .update:
            guard trees.children.createFields != nil else { return false }
            gone.children.append(record.entryId)
            return true
        case .refused where !isParent && tree.task == .nothing:
            guard trees.parent.createFields != nil, result.isRelatedGone else { return false }
            gone.parent = true
            return true
        // A creation without an answer may have been made.
        case .noAnswer where record.operation == .create: return false
        default: return !isParent && gone.parent && record.operation != .delete && !result.isSuccess
        }
    }
}

extension RecordResult {
    /// Whether the service has done what was asked.
    var isSuccess: Bool {
        switch outcome {
        case .created, .done: true
        case .gone, .left, .refused, .noAnswer: false
        }
    }
}

/// What became of the rows of one call of a tree.
struct TreeOutcomes: Sendable {
    let trees: TreeParts
    var parents: [OutcomeSaver.Item] = []
    var children: [OutcomeSaver.Item] = []
    var effects = UpEffects()

    init(trees: TreeParts) { self.trees = trees }

    private mutating func append(_ item: OutcomeSaver.Item, _ isParent: Bool) {
        if isParent {
            parents.append(item)
        } else {
            children.append(item)
        }
    }

    /// A row that stays as it is.
    mutating func keep(_ record: PendingRecord, _ isParent: Bool) {
        append(.init(record: record, settlement: .kept), isParent)
    }

    mutating func add(_ record: PendingRecord, _ isParent: Bool, _ result: RecordResult, refusesGone: Bool) {
        switch result.outcome {
        case .created(let id):
            effects.summary.pushed += 1
            effects.summary.recreated += record.isRecreation ? 1 : 0
            effects.summary.created += record.isRecreation ? 0 : 1
            append(.init(record: record, settlement: .created(id: id)), isParent)
        case .done:
            effects.summary.pushed += 1
            append(.init(record: record, settlement: .done), isParent)
        case .gone where !refusesGone, .left: keep(record, isParent)
        case .gone:
            refuse(record, isParent, record.isRecreation ? LocalError.rejectedTwice.json : result.error)
        case .refused(let error): refuse(record, isParent, error)
        case .noAnswer: refuse(record, isParent, nil, isInDoubt: record.operation == .create)
        }
    }

    private mutating func refuse(
        _ record: PendingRecord, _ isParent: Bool, _ given: JSONObject?, isInDoubt: Bool = false
    ) {
        let error = given ?? LocalError.noAnswer.json
        let soup = isParent ? trees.parent.soup : trees.children.soup
        effects.summary.refused += 1
        effects.events.append(
            .recordRefused(soup: soup, entryId: record.entryId, code: ServiceError.shortCode(error)))
        append(.init(record: record, settlement: .refused(error), isInDoubt: isInDoubt), isParent)
    }
}
