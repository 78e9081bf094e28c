import JSONText
import LocalChanges
import OData
import OfflineStore
import ServiceTransport
import Soups
import Synchronization

/// One push: sends the planned changes and saves what became of each.
final class PushRun: Sendable {
    let client: ODataClient
    let rule: ConflictRule?
    private let changeSet: ChangeSetMode
    private let batchSize: Int
    /// The names of all sets that are pushed. A row waits for a new entity of another set.
    private let sets: Set<ByteKey>
    private let state: Mutex<State>

    private struct State {
        var plan: [PlannedChange]
        var outcomes: [Int: PushOutcome] = [:]
        /// The keys that local ids have become, by set and local id.
        var keys: [ByteKey: String] = [:]
    }

    init(
        _ client: ODataClient, _ plan: [PlannedChange], of sets: [MappedEntitySet], rule: ConflictRule?,
        changeSet: ChangeSetMode, batchSize: Int
    ) {
        self.client = client
        self.sets = Set(sets.map { ByteKey($0.name) })
        self.rule = rule
        self.changeSet = changeSet
        // A batch has at most 1,000 parts, and each change may have a change set of its own.
        self.batchSize = min(max(1, batchSize), 1_000)
        state = Mutex(State(plan: plan))
    }

    var saving: PushSaving { PushSaving(client: client) }
    var reader: ChangeAnswerReader { ChangeAnswerReader(client: client) }
    private var plan: [PlannedChange] { state.withLock { $0.plan } }

    /// Ends the run: nothing more can be sent now.
    struct Ended: Error {
        let fault: Fault
    }

    /// The outcomes in the order of the plan.
    var outcomes: [PushOutcome] {
        state.withLock { state in state.plan.indices.compactMap { state.outcomes[$0] } }
    }

    func note(_ position: Int, _ kind: PushOutcome.Kind, _ error: JSONObject? = nil) {
        state.withLock { state in
            let change = state.plan[position]
            state.outcomes[position] = PushOutcome(
                entitySet: change.set.name, entryId: change.entryId, operation: change.operation, kind: kind,
                error: error)
        }
    }

    func isDone(_ position: Int) -> Bool { state.withLock { $0.outcomes[position]?.kind == .done } }
    func isMet(_ position: Int) -> Bool { state.withLock { $0.outcomes[position] != nil } }

    // MARK: - Single requests

    /// Sends each change with a request of its own.
    func sendSingly() async throws {
        for (position, change) in plan.enumerated() {
            try await send(change, at: position)
        }
    }

    /// Sends a change with a request of its own, if what it refers to is on the service.
    func send(_ change: PlannedChange, at position: Int) async throws {
        guard change.needed.allSatisfy(isDone) else {
            return note(position, .waits)
        }
        try await sendOne(change, at: position, isLast: false)
    }

    /// Sends one change with a request of its own.
    ///
    /// - Parameter isLast: Whether a conflict of this request is kept, because it was sent again already.
    func sendOne(_ change: PlannedChange, at position: Int, isLast: Bool) async throws {
        let prepared = try await client.store.writingToTheEnd { [self] in
            var rows = ChangedRowPage(client)
            return try prepare(change, at: position, in: &rows)
        }
        guard let prepared else { return }
        if prepared.isUnresolved {
            return note(position, .waits)
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

    /// A change with its request.
    struct Prepared: Sendable {
        let sent: SentChange
        let request: ChangeRequestBuilder.Request
        /// Whether a foreign key names an entity that has no key yet, or is not on the service.
        let isUnresolved: Bool
        /// Whether the whole entity would be replaced by a row that lacks properties.
        let isIncomplete: Bool
        /// Whether the entity is to be read before the change is sent. That of a partner was just read.
        var asksFirst: Bool { sent.change.partner == nil && (isStale || isIncomplete) }
        /// Whether the ETag of the entity is not known any more.
        private var isStale: Bool { sent.base?.control["stale"]?.bool == true }
    }

    /// Notes a change that needs no request any more: its row is clean or gone. One whose row has got another change
    /// or a conflict since the plan was made waits for the next push.
    private func noteUnsent(_ change: PlannedChange, at position: Int) throws(Fault) {
        guard !isMet(position) else { return }
        let row = try saving.rows(change.set).row(change.entryId)
        let isDirty = row.map { LocalFlags(of: $0).isDirty } ?? false
        note(position, isDirty ? .waits : .done)
    }

    /// Reads the row of a change and makes its request. An insert that the service could do twice is noted in the
    /// outbox in the same transaction.
    ///
    /// Nil if there is nothing to send, or if no request can be written for the row. The outcome is noted then.
    ///
    /// - Parameter rows: Rows that were read ahead. They are forgotten if others than that of the change are written.
    func prepare(
        _ given: PlannedChange, at position: Int, in rows: inout ChangedRowPage, contentID: String? = nil,
        contentIDs: [(reference: EntityReference, id: String)] = [], isRelative: Bool = false
    ) throws(Fault) -> Prepared? {
        guard let found = try unsentRow(given, at: position, in: rows) else { return nil }
        let row = given.isInsert ? try takingKnownKey(found, given.set, &rows) : found
        let changed = try rows.changedRow(row, of: given.set)
        let change = Self.change(given, as: changed)
        var builder = try ChangeRequestBuilder(client, change, changed, isRelative: isRelative)
        builder.contentIDs = contentIDs
        guard let request = try request(of: builder, contentID: contentID, at: position, in: &rows) else {
            return nil
        }
        var isUnresolved = builder.isUnresolved(request)
        if isUnresolved, let name = try builder.brokenReference(request) {
            try refuse(change, Self.brokenReference(name, of: change.set), at: position)
            return nil
        }
        if !isUnresolved {
            isUnresolved = try builder.namesUnsentEntity(request, besides: sets)
        }
        let mayDouble =
            change.isInsert && LocalId.isLocal(row.keyText) && change.set.settings.doubt == .hold && !isUnresolved
        if mayDouble {
            try noteInsert(change, sent: request.sent)
        }
        return Prepared(
            sent: SentChange(
                change: change, image: row, base: changed.base, sent: request.sent, mayDouble: mayDouble,
                soupId: try client.store.soupId(change.set.soup)),
            request: request, isUnresolved: isUnresolved,
            isIncomplete: change.operation == .update && changed.isIncomplete)
    }

    /// The row of a change, if the change is still to be sent. Otherwise nil, and the outcome is noted.
    private func unsentRow(
        _ change: PlannedChange, at position: Int, in rows: ChangedRowPage
    ) throws(Fault) -> JSONObject? {
        if let soupId = change.soupId, try client.store.soupId(change.set.soup) != soupId {
            // What is known of the entity is about a row of a former soup.
            note(position, .waits)
            return nil
        }
        guard let row = try rows.row(change.entryId, of: change.set), KeptConflict(of: row) == nil,
            let operation = LocalFlags(of: row).pushed, operation == change.operation
        else {
            try noteUnsent(change, at: position)
            return nil
        }
        return row
    }

    /// The request of a change. Nil if there is nothing to send, or if no request can be written for the row: the
    /// outcome is noted then, and the other rows are sent all the same.
    private func request(
        of builder: ChangeRequestBuilder, contentID: String?, at position: Int, in rows: inout ChangedRowPage
    ) throws(Fault) -> ChangeRequestBuilder.Request? {
        let written: ChangeRequestBuilder.Request?
        do throws(Fault) {
            written = try builder.request(contentID: contentID)
        } catch {
            try refuse(builder.change, error, at: position)
            return nil
        }
        if written == nil {
            try saveUnsent(builder.change, builder.row, at: position, in: &rows)
        }
        return written
    }

    private static func brokenReference(_ name: String, of set: MappedEntitySet) -> Fault {
        Fault(
            .invalidEntry,
            "the new entity that this foreign key names is not here any more; name another one, or null",
            context: [.soup(set.soup), .path(name)])
    }

    /// A planned change with the key that its row has now. Links may have been bound since the plan was made: an insert
    /// does not leave out their foreign keys.
    private static func change(_ planned: PlannedChange, as row: ChangedRow) -> PlannedChange {
        let bound = row.boundReferences
        return PlannedChange(
            set: planned.set, entryId: planned.entryId, operation: planned.operation, key: row.row.keyText,
            principals: planned.principals, namedInserts: planned.namedInserts,
            leftOut: planned.leftOut.filter { !bound.contains($0) },
            isCompletion: planned.isCompletion, partner: planned.partner, soupId: planned.soupId,
            keepsRow: planned.keepsRow)
    }

    /// Saves that a change has nothing to send: the service has the values of the row, which becomes clean.
    private func saveUnsent(
        _ change: PlannedChange, _ changed: ChangedRow, at position: Int, in rows: inout ChangedRowPage
    ) throws(Fault) {
        if let partner = change.partner {
            // The row takes the key of its partner alone.
            let same = SentChange(
                change: change, image: changed.row, base: changed.base, sent: JSONObject(), mayDouble: false)
            rows.forget()
            try saving.done(same, nil, key: partner.keyText, etag: partner.etag)
        } else {
            try saving.settle(changed.row, change.set)
        }
        try noteUnsent(change, at: position)
    }

    /// Saves that no request can be written for a change.
    private func refuse(_ change: PlannedChange, _ fault: Fault, at position: Int) throws(Fault) {
        let error = ServiceRefusal.json(unwritable: fault)
        try saving.note(error, change)
        noteRefusal(of: change, error, at: position)
    }

    func noteRefusal(of change: PlannedChange, _ error: JSONObject, at position: Int) {
        note(position, .refused, error)
        client.options.events?(
            .refused(set: change.set.name, entryId: change.entryId, status: Int(error["status"]?.int64 ?? 0)))
    }

    /// A new row with the key that its properties make, if all parts are known by now: an entity that it refers to may
    /// have got its key since the row was created. A key that another row has is left to the service, and one that does
    /// not fit its type to the writing of the request. The store is asked only if all parts are known.
    private func takingKnownKey(
        _ row: JSONObject, _ set: MappedEntitySet, _ rows: inout ChangedRowPage
    ) throws(Fault) -> JSONObject {
        guard LocalId.isLocal(row.keyText), let key = try? client.clientKey(of: row, set),
            try client.isFree(key, set)
        else { return row }
        state.withLock { $0.keys[ByteKey(set.name + "\0" + row.keyText)] = key }
        // The rows that refer to it are written too.
        rows.forget()
        return try client.giving(key, to: row, set)
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
            return note(position, .waits, error)
        }
        guard mayBeDone, sent.mayDouble else {
            try saving.notDone(sent)
            if mayBeDone {
                try saving.noteUnanswered(sent)
            }
            return note(position, .waits, error)
        }
        try hold(sent)
        try saving.note(ServiceRefusal.inDoubt, sent.change)
        note(position, .doubt, error ?? ServiceRefusal.inDoubt)
        client.options.events?(.held(set: sent.set.name, entryId: sent.change.entryId))
    }

    /// Notes an insert again whose note is gone: a doubt cannot be decided before there is one.
    private func hold(_ sent: SentChange) throws(Fault) {
        guard let row = try saving.rows(sent.set).row(sent.change.entryId), LocalFlags(of: row).isCreated,
            try Outbox(client.store).row(soup: sent.set.soup, entryId: sent.change.entryId) == nil
        else { return }
        try noteInsert(sent.change, sent: sent.sent)
    }

    /// Notes in the outbox that an insert is sent which the service could do twice.
    private func noteInsert(_ change: PlannedChange, sent: JSONObject) throws(Fault) {
        try Outbox(client.store).keep([
            OutboxRow(
                soupName: change.set.soup, entryId: change.entryId, syncId: nil, objectType: change.set.name,
                sent: sent, sentAt: client.options.clock.now())
        ])
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
        let sent = withNewKeys(given)
        switch verdict {
        case .done(let entity, let key, let etag):
            try saving.done(withOtherDeletes(sent, at: position), entity, key: key, etag: etag)
            if let key, ByteKey(key) != ByteKey(sent.image.keyText) {
                state.withLock { $0.keys[ByteKey(sent.set.name + "\0" + sent.image.keyText)] = key }
            }
            note(position, .done)
            return .nothing
        case .refused(let error):
            try saving.refused(sent, error)
            noteRefusal(of: sent.change, error, at: position)
            return .nothing
        case .unknown(let error):
            try saveUnknown(sent, at: position, mayBeDone: true, error)
            return .nothing
        case .notDone(let error):
            try saving.notDone(sent)
            note(position, .waits, error)
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
        note(position, .waits)
        switch verdict {
        case .done(_, let key?, _) where ByteKey(key) != ByteKey(sent.image.keyText):
            try KeyReplacement(store: client.store, map: client.map).replace(sent.image.keyText, by: key, of: sent.set)
            state.withLock { $0.keys[ByteKey(sent.set.name + "\0" + sent.image.keyText)] = key }
            return .nothing
        case .ends(let fault, _, _): return .end(fault)
        default: return .nothing
        }
    }

    /// A change whose row, since it was sent, refers to new entities by their keys, which is not an edit.
    func withNewKeys(_ sent: SentChange) -> SentChange {
        var sent = sent
        let keys = state.withLock { $0.keys }
        guard !keys.isEmpty else { return sent }
        for reference in client.map.references(ofDependent: sent.set.name) {
            guard let principal = client.map.find(reference.principal) else { continue }
            for (path, name) in zip(reference.foreignKey, reference.principalKey) {
                guard let id = sent.image.value(at: path)?.string, LocalId.isLocal(id),
                    let key = keys[ByteKey(principal.name + "\0" + id)],
                    let part = KeyReplacement.part(name, of: key, principal)
                else { continue }
                sent.image = sent.image.setting(part, at: path)
            }
        }
        return sent
    }

    /// A delete of one of the entities that match a row: the row stays until all of them are deleted.
    func withOtherDeletes(_ given: SentChange, at position: Int) -> SentChange {
        var sent = given
        guard sent.change.operation == .delete, sent.change.partner != nil else { return sent }
        func isOther(_ change: PlannedChange) -> Bool {
            change.operation == .delete && change.entryId == sent.change.entryId
        }
        sent.change.keepsRow = state.withLock { state in
            // The deletes of a row are next to each other in the plan.
            let before = state.plan[..<position].indices.reversed().prefix { isOther(state.plan[$0]) }
            let after = state.plan.indices.dropFirst(position + 1).prefix { isOther(state.plan[$0]) }
            return (Array(before) + after).contains { state.outcomes[$0]?.kind != .done }
        }
        return sent
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
        let plan = plan
        // The first change that has no outcome.
        var first = 0
        while true {
            while first < plan.count, isMet(first) {
                first += 1
            }
            var selection = BatchSelection(
                plan, from: first, isMet: isMet, isDone: isDone, mode: changeSet, limit: batchSize)
            for position in selection.waiting where !isMet(position) {
                note(position, .waits)
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
