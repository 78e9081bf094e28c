public import JSONText
import LocalChanges
import OData
import OfflineStore
public import Soups

/// A request that a push would send.
public struct PlannedRequest: Sendable {
    /// The method.
    public let method: String
    /// The URL: absolute, or relative to the service for a part of a batch.
    public let url: String
    /// The headers in their order.
    public let headers: [(name: String, value: String)]
    /// The body; `nil` for a request without one.
    public let body: String?
    /// The entity set.
    public let entitySet: String
    /// The id of the row.
    public let entryId: Int64
    /// The name of the request in its batch.
    public let contentID: String?
}

extension ODataClient {
    /// Returns the requests that a push would send, in their order, without sending or writing anything. A foreign key
    /// of an entity that has no key yet shows its local id.
    ///
    /// - Parameters:
    ///   - sets: The sets whose changes are planned; nil for all.
    ///   - mode: Whether the requests are parts of batches; nil for that of the options.
    ///   - changeSet: Which changes are one unit in a batch; nil for that of the options.
    /// - Throws: `invalidPlan` for new entities that need each other's keys; `metadataChanged`; the faults of
    ///   `ODataChangeRequest` for a value that cannot be written.
    public func plan(
        _ sets: [String]? = nil, mode: PushMode? = nil, changeSet: ChangeSetMode? = nil
    ) throws(Fault) -> [PlannedRequest] {
        try store.atomically { () throws(Fault) in
            var planner = ChangePlanner(self, try checkedSets(sets))
            let plan = try planner.plan().changes
            let isBatch = (mode ?? options.pushMode) == .batch
            let trees = isBatch && (changeSet ?? options.changeSet) == .perTree
            var requests: [PlannedRequest] = []
            var ids: [Int: String] = [:]
            for (position, change) in plan.enumerated() {
                let row = try PushSaving(client: self).changedRow(
                    try self.row(.entryId(change.entryId), of: change.set), change.set)
                var builder = try ChangeRequestBuilder(self, change, row, isRelative: isBatch)
                if trees {
                    builder.contentIDs = change.principals.compactMap { principal in
                        ids[principal.position].map { (principal.reference, $0) }
                    }
                }
                let id = isBatch ? String(requests.count + 1) : nil
                let request: ChangeRequestBuilder.Request?
                do throws(Fault) {
                    request =
                        change.isCompletion
                        ? try builder.completion(of: plan, contentID: id) : try builder.request(contentID: id)
                } catch {
                    throw Fault(
                        error.code, "entry \(change.entryId): \(error.message)", offset: error.offset,
                        context: error.context + [.soup(change.set.soup)])
                }
                guard let request else { continue }
                ids[position] = id
                requests.append(
                    PlannedRequest(
                        method: request.method, url: request.url, headers: request.headers, body: request.body,
                        entitySet: change.set.name, entryId: change.entryId, contentID: id))
            }
            return requests
        }
    }

    /// Sends the local changes to the service, and saves what became of each.
    ///
    /// A change that the service refuses keeps its row as it is, with the error; so does one that no request can be
    /// written for, which is not sent. A row that refers to a new entity of a set that is not sent waits for it. A
    /// change whose entity was changed on the service is settled by the rule of its set. An insert whose answer was
    /// lost is held, or sent again, as the set says.
    /// A failure of the service or the network ends the push; what was done by then is saved.
    ///
    /// - Parameters:
    ///   - sets: The sets whose changes are sent; nil for all.
    ///   - mode: Single requests or batches; nil for that of the options.
    ///   - conflict: A rule in place of those of the sets.
    ///   - batchSize: The most changes in a batch; nil for that of the options.
    ///   - changeSet: Which changes are one unit in a batch; nil for that of the options.
    /// - Throws: `syncRunning` if a push is running; `invalidPlan` for new entities that need each other's keys;
    ///   `metadataChanged`.
    @discardableResult
    public func push(
        _ sets: [String]? = nil, mode: PushMode? = nil, conflict: ConflictRule? = nil, batchSize: Int? = nil,
        changeSet: ChangeSetMode? = nil
    ) async throws -> PushResult {
        try beginPush()
        defer { endPush() }
        let chosen = try checkedSets(sets)
        let push = Push(
            client: self, sets: chosen, mode: mode ?? options.pushMode, rule: conflict,
            changeSet: changeSet ?? options.changeSet, batchSize: batchSize ?? options.batchSize)
        return try await push.run()
    }

    /// The sets of a push, whose rows have keys of the present form.
    private func checkedSets(_ names: [String]?) throws(Fault) -> [MappedEntitySet] {
        let sets = try sets(named: names)
        for set in sets {
            try registry.requireKeys(of: set)
        }
        return sets
    }

    /// Decides about an insert whose answer was lost, and returns the row as it is then; nil if it was removed.
    ///
    /// - Parameters:
    ///   - set: The name of the entity set.
    ///   - entryId: The id of the entry.
    ///   - key: The key under which the service has created the entity; nil if it has not.
    /// - Throws: `invalidEntry` if there is no doubt about this row; `invalidArguments` for a key that is not one of
    ///   the set.
    @discardableResult
    public func resolveDoubt(_ set: String, entryId: Int64, createdAs key: JSONValue?) throws(Fault) -> JSONObject? {
        let set = try map.set(set)
        return try store.atomically { () throws(Fault) in
            let outbox = Outbox(store)
            let saving = PushSaving(client: self)
            guard let kept = try outbox.row(soup: set.soup, entryId: entryId) else {
                throw Fault(.invalidEntry, "nothing that was sent of this row is in doubt", context: [.soup(set.soup)])
            }
            guard var row = try saving.rows(set).row(entryId) else {
                try outbox.remove(soup: set.soup, entryId: entryId)
                return nil
            }
            row[ReservedField.lastError] = nil
            guard let key, !key.isNull else {
                try outbox.remove(soup: set.soup, entryId: entryId)
                guard !LocalFlags(of: row).isDeleted else {
                    try store.remove(ids: [entryId], from: set.soup)
                    return nil
                }
                return try saving.rows(set).write(row)
            }
            let text = try StoredKey.text(of: key, set, version: map.version)
            guard !LocalId.isLocal(text), !LocalId.isLocal(key.string ?? "") else {
                throw Fault(.invalidArguments, "the key of an entity on the service must not be a local id")
            }
            row = try saving.rows(set).write(row)
            let change = PlannedChange(set: set, entryId: entryId, operation: .insert, key: row.keyText)
            let image = try self.image(of: row, sentAs: kept.sent, change, saving)
            let sent = SentChange(change: change, image: image, base: nil, sent: kept.sent, mayDouble: true)
            try saving.done(sent, nil, key: text, etag: nil)
            return try saving.rows(set).row(entryId)
        }
    }

    /// The row as its insert has sent it. It differs from the present row if that was edited since.
    private func image(
        of row: JSONObject, sentAs sent: JSONObject, _ change: PlannedChange, _ saving: PushSaving
    ) throws(Fault) -> JSONObject {
        let set = change.set
        let own = row.properties(of: set).removing { !sent.names.contains($0) }
        let changed = try saving.changedRow(row, set)
        let builder = try ChangeRequestBuilder(self, change, changed)
        // A row that no request can be written for was edited too.
        let now = (try? builder.request())?.sent
        guard LocalFlags(of: row).isDeleted || now.map(JSONValue.object) != .object(sent) else { return row }
        var image = row.removing {
            !own.names.contains($0) && !ReservedField.isReserved($0) && !set.isLocalOnly($0)
        }
        .merging(sent)
        // Any text that the row does not have: what differs from its image counts as edited.
        image[ReservedField.lastError] = "edited"
        return image
    }
}

/// One push over its sets: those that are merged by another property first, then all others by one plan.
private struct Push: Sendable {
    let client: ODataClient
    let sets: [MappedEntitySet]
    let mode: PushMode
    let rule: ConflictRule?
    let changeSet: ChangeSetMode
    let batchSize: Int

    func run() async throws -> PushResult {
        var outcomes: [PushOutcome] = []
        do {
            for set in sets where !set.settings.mergesBy.isEmpty {
                let merge = PropertyMerge(client: client, set: set)
                let paired = try await merge.plan()
                outcomes += paired.refused
                let run = PushRun(
                    client, paired.changes, of: sets, rule: rule, changeSet: .perRow, batchSize: batchSize)
                try await send(run, &outcomes)
            }
            let others = sets.filter(\.settings.mergesBy.isEmpty)
            let plan = try await client.store.writingToTheEnd { try settle(others) }
            let run = PushRun(
                client, plan.changes, of: sets, rule: rule, changeSet: changeSet, batchSize: batchSize)
            try await send(run, &outcomes)
            return PushResult(status: .done, fault: nil, outcomes: outcomes)
        } catch let ended as PushRun.Ended {
            return PushResult(status: .failed, fault: ended.fault, outcomes: outcomes)
        } catch is ServiceConnection.Stopped {
            return PushResult(status: .stopped, fault: nil, outcomes: outcomes)
        } catch is CancellationError {
            return PushResult(status: .stopped, fault: nil, outcomes: outcomes)
        } catch let fault as Fault where fault.code != .invalidPlan {
            return PushResult(status: .failed, fault: fault, outcomes: outcomes)
        }
    }

    /// Sends the changes of a run, and adds what became of them, also if it fails.
    private func send(_ run: PushRun, _ outcomes: inout [PushOutcome]) async throws {
        defer { outcomes += run.progress.outcomes }
        switch mode {
        case .single: try await run.sendSingly()
        case .batch: try await run.sendInBatches { client.options.boundary?() }
        }
    }

    /// Plans the changes; cleans or removes the rows that need no request, and marks those that are held or have no
    /// key.
    private func settle(_ sets: [MappedEntitySet]) throws(Fault) -> ChangePlan {
        try Outbox(client.store).removeOrphans()
        var planner = ChangePlanner(client, sets)
        let plan = try planner.plan()
        let saving = PushSaving(client: client)
        for (set, entryId) in plan.settled {
            guard let row = try saving.rows(set).row(entryId) else { continue }
            guard !LocalFlags(of: row).isDeleted else {
                try Originals(client.store, soup: set.soup).remove([entryId])
                try client.store.remove(ids: [entryId], from: set.soup)
                continue
            }
            try saving.settle(row, set)
        }
        for (set, entryId) in plan.held {
            let change = PlannedChange(set: set, entryId: entryId, operation: .insert, key: "")
            try saving.note(ServiceRefusal.inDoubt, change)
            client.options.events?(.held(set: set.name, entryId: entryId))
        }
        for (set, entryId) in plan.unknown {
            let change = PlannedChange(set: set, entryId: entryId, operation: .update, key: "")
            try saving.note(ServiceRefusal.keyUnknown, change)
        }
        return plan
    }
}
