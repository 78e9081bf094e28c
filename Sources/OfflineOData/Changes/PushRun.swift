import JSONText
import LocalChanges
import OData
import OfflineStore
import ServiceTransport
import Soups

/// One push: sends the planned changes and saves what became of each.
struct PushRun: Sendable {
    let client: ODataClient
    let rule: ConflictRule?
    private let changeSet: ChangeSetMode
    private let batchSize: Int
    let progress: PushProgress
    let preparation: ChangePreparation

    init(
        _ client: ODataClient, _ plan: [PlannedChange], of sets: [MappedEntitySet], rule: ConflictRule?,
        changeSet: ChangeSetMode, batchSize: Int
    ) {
        self.client = client
        progress = PushProgress(client, plan)
        preparation = ChangePreparation(client, sets, progress)
        self.rule = rule
        self.changeSet = changeSet
        // A batch has at most 1,000 parts, and each change may have a change set of its own.
        self.batchSize = min(max(1, batchSize), 1_000)
    }

    var saving: PushSaving { PushSaving(client: client) }
    var reader: ChangeAnswerReader { ChangeAnswerReader(client: client) }
    private var plan: [PlannedChange] { progress.plan }

    /// Ends the run: nothing more can be sent now.
    struct Ended: Error {
        let fault: Fault
    }

    // MARK: - Single requests

    /// Sends each change with a request of its own.
    func sendSingly() async throws {
        for (position, change) in plan.enumerated() {
            try await send(change, at: position)
        }
    }

    /// Sends a change with a request of its own, if what it refers to is on the service.
    func send(_ change: PlannedChange, at position: Int) async throws {
        guard change.needed.allSatisfy(progress.isDone) else {
            return progress.note(position, .waits)
        }
        try await sendOne(change, at: position, isLast: false)
    }

    /// Sends one change with a request of its own.
    ///
    /// - Parameter isLast: Whether a conflict of this request is kept, because it was sent again already.
    func sendOne(_ change: PlannedChange, at position: Int, isLast: Bool) async throws {
        let prepared = try await client.store.writingToTheEnd { [self] in
            try client.registry.requireKeys(of: change.set)
            var rows = ChangedRowPage(client)
            return try preparation.prepare(change, at: position, in: &rows)
        }
        guard let prepared else { return }
        if prepared.isUnresolved {
            return progress.note(position, .waits)
        }
        if prepared.asksFirst, !isLast {
            return try await askBase(prepared.sent, at: position, requiresETag: false)
        }
        let target = try client.connection.root.target(of: prepared.request.url)
        let request = ServiceRequest(
            method: prepared.request.method, path: target.path, encodedQuery: target.query,
            headers: prepared.request.headers.map { Pair($0.name, $0.value) },
            body: prepared.request.body.map { Array($0.utf8) },
            repetition: change.isInsert ? .unsafe : .idempotent)
        let response: ServiceResponse
        do {
            response = try await client.connection.send(request)
        } catch {
            try await unanswered([(position, prepared.sent)], error)
            throw error
        }
        let verdict = reader.verdict(prepared.sent, response, to: request, isPart: false)
        try await conclude(prepared.sent, verdict, at: position, isLast: isLast)
    }

    /// Saves that a request got no answer.
    func unanswered(_ sent: [(position: Int, sent: SentChange)], _ error: any Error) async throws {
        let fault = error as? Fault
        let isSent = !(error is ServiceConnection.Stopped)
        let mayBeDone = isSent && fault?.code != .offline && fault?.code != .unauthorized
        let text = fault.map { ServiceRefusal.json(code: $0.code.rawValue, $0.message) }
        try await client.store.writingToTheEnd { [self] in
            for (position, sent) in sent {
                try saveUnknown(sent, at: position, mayBeDone: mayBeDone, text)
            }
        }
    }

    /// Saves that a change was not done, or that this is not known.
    func saveUnknown(
        _ sent: SentChange, at position: Int, mayBeDone: Bool, _ error: JSONObject?
    ) throws(Fault) {
        guard try saving.isPresent(sent) else {
            return progress.note(position, .waits, error)
        }
        guard mayBeDone, sent.mayDouble else {
            try saving.notDone(sent)
            if mayBeDone {
                try saving.noteUnanswered(sent)
            }
            return progress.note(position, .waits, error)
        }
        try hold(sent)
        try saving.note(ServiceRefusal.inDoubt, sent.change)
        progress.note(position, .doubt, error ?? ServiceRefusal.inDoubt)
        client.options.events?(.held(set: sent.set.name, entryId: sent.change.entryId))
    }

    /// Notes an insert again whose note is gone: a doubt cannot be decided before there is one.
    private func hold(_ sent: SentChange) throws(Fault) {
        guard let row = try saving.rows(sent.set).row(sent.change.entryId), LocalFlags(of: row).isCreated,
            try Outbox(client.store).row(soup: sent.set.soup, entryId: sent.change.entryId) == nil
        else { return }
        try preparation.noteInsert(sent.change, sent: sent.sent)
    }

    // MARK: - Answers

    /// Saves what an answer means; asks the service where that needs its version of the entity.
    func conclude(_ sent: SentChange, _ verdict: Verdict, at position: Int, isLast: Bool) async throws {
        let followUp = try await client.store.writingToTheEnd { [self] in
            try save(sent, verdict, at: position)
        }
        try await follow(followUp, sent, at: position, isLast: isLast)
    }

    /// What is to be done after a verdict was saved.
    enum FollowUp: Sendable {
        case nothing
        case end(Fault)
        case compare(ArrivedEntity?)
        case askBase
        case askExisting(JSONObject)
        case gone
    }

    func save(_ given: SentChange, _ verdict: Verdict, at position: Int) throws(Fault) -> FollowUp {
        guard try saving.isPresent(given) else {
            return try saveWithoutRow(given, verdict, at: position)
        }
        let sent = progress.withNewKeys(given)
        switch verdict {
        case .done(let entity, let key, let etag):
            try saving.done(progress.withOtherDeletes(sent, at: position), entity, key: key, etag: etag)
            if let key, ByteKey(key) != ByteKey(sent.image.keyText) {
                progress.note(key: key, of: sent.set, for: sent.image.keyText)
            }
            progress.note(position, .done)
            return .nothing
        case .refused(let error):
            try saving.refused(sent, error)
            progress.noteRefusal(of: sent.change, error, at: position)
            return .nothing
        case .unknown(let error):
            try saveUnknown(sent, at: position, mayBeDone: true, error)
            return .nothing
        case .notDone(let error):
            try saving.notDone(sent)
            progress.note(position, .waits, error)
            return .nothing
        case .ends(let fault, let mayBeDone, let error):
            try saveUnknown(sent, at: position, mayBeDone: mayBeDone, error)
            return .end(fault)
        case .gone: return .gone
        case .changed(let entity): return .compare(entity)
        case .needsETag: return .askBase
        case .exists(let error): return .askExisting(error)
        }
    }

    /// Saves what an answer means for other rows than that of the change, which went with its soup.
    private func saveWithoutRow(
        _ sent: SentChange, _ verdict: Verdict, at position: Int
    ) throws(Fault) -> FollowUp {
        progress.note(position, .waits)
        switch verdict {
        case .done(_, let key?, _) where ByteKey(key) != ByteKey(sent.image.keyText):
            try KeyReplacement(store: client.store, map: client.map).replace(sent.image.keyText, by: key, of: sent.set)
            progress.note(key: key, of: sent.set, for: sent.image.keyText)
            return .nothing
        case .ends(let fault, _, _): return .end(fault)
        default: return .nothing
        }
    }

    func follow(_ followUp: FollowUp, _ sent: SentChange, at position: Int, isLast: Bool) async throws {
        switch followUp {
        case .nothing: return
        case .end(let fault): throw Ended(fault: fault)
        case .gone: try await meet(sent, nil, .deletedThere, at: position, isLast: isLast)
        case .compare(let known):
            let found = if let known { Found.entity(known) } else { try await read(sent, at: position) }
            switch found {
            case .entity(let theirs): try await meet(sent, theirs, .changedThere, at: position, isLast: isLast)
            case .gone: try await meet(sent, nil, .deletedThere, at: position, isLast: isLast)
            case .refused(let error): try await saveRefusal(error, of: sent, at: position)
            }
        case .askBase: try await askBase(sent, at: position, isLast: isLast, requiresETag: true)
        case .askExisting(let error):
            guard case .entity(let theirs) = try await read(sent, at: position) else {
                return try await saveRefusal(error, of: sent, at: position)
            }
            try await meet(sent, theirs, .existsThere, at: position, isLast: isLast)
        }
    }

    // MARK: - Batches

    /// Sends all changes, several at a time.
    func sendInBatches(_ boundary: @Sendable () -> String?) async throws {
        // The first change that has no outcome.
        var first = 0
        while true {
            while first < plan.count, progress.isMet(first) {
                first += 1
            }
            var selection = BatchSelection(
                plan, from: first, isMet: progress.isMet, isDone: progress.isDone, mode: changeSet, limit: batchSize)
            for position in selection.waiting where !progress.isMet(position) {
                progress.note(position, .waits)
            }
            guard !selection.isEmpty else {
                guard selection.waiting.isEmpty else { continue }
                return
            }
            selection.limitBytes = client.options.batchBytes
            try await BatchPush(run: self, plan: plan, selection: selection, boundary: boundary()).send()
        }
    }
}
