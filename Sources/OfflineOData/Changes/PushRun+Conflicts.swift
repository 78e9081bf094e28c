import JSONText
import LocalChanges
import OData
import OfflineStore
import ServiceTransport
import Soups

// Changes that the service has another version for.
extension PushRun {
    /// What the service answers when it is asked for the entity of a change.
    enum Found: Sendable {
        case entity(ArrivedEntity)
        case gone
        /// The service refuses to give it. Only this change fails.
        case refused(JSONObject)
    }

    /// The entity as the service has it now.
    func read(_ sent: SentChange, at position: Int) async throws -> Found {
        let control = EntityControl(
            map: client.map, set: sent.set, serviceRoot: client.connection.root.text)
        let link = (sent.change.partner ?? sent.base).flatMap { client.connection.editLink(of: $0) }
        guard let url = link ?? control.url(sent.key) else { return .gone }
        let request = try client.connection.read(url)
        do {
            let response = try await client.connection.send(request)
            switch response.status {
            case 404, 410: return .gone
            case 401, 429: break
            case 400...499, 501:
                return .refused(ServiceRefusal.json(status: response.status, AnswerFault.error(in: response)))
            default: break
            }
            if let fault = AnswerFault.fault(response, to: request) {
                throw fault
            }
            let options = client.connection.payloadOptions(
                response, to: request, model: client.map.model, entityType: sent.set.forRow(sent.image).entityType)
            let answer: ODataAnswer
            do throws(Fault) {
                answer = try ODataAnswer(
                    status: response.status, headers: response.headerPairs, body: response.body, options: options)
            } catch {
                throw AnswerFault.reading(error, request)
            }
            guard let entry = answer.entry else {
                throw AnswerFault.malformed(request, "the answer is not an entity")
            }
            let entity = try client.pushReading.entity(entry, of: sent.set).with(etag: answer["ETag"])
            guard ByteKey(entity.key) == ByteKey(sent.key) else {
                throw AnswerFault.malformed(request, "the answer has another entity")
            }
            if let name = try UnindexableValues.names(in: entity.properties, of: sent.set.soup, client.store).first {
                let fault = Fault(.invalidEntry, "an indexed value contains U+0000", context: [.path(name)])
                return .refused(ServiceRefusal.json(unwritable: fault))
            }
            return .entity(entity)
        } catch {
            progress.note(position, .waits)
            throw error
        }
    }

    /// Saves that the service refuses a change, or the entity of one.
    func saveRefusal(_ error: JSONObject, of sent: SentChange, at position: Int) async throws {
        try await client.store.writingToTheEnd { [self] in
            guard try saving.isPresent(sent) else { return progress.note(position, .waits) }
            let row = try saving.rows(sent.set).row(sent.change.entryId)
            guard let row, LocalFlags(of: row).isDirty else {
                // It was discarded in the meantime, or is gone.
                return progress.note(position, .done)
            }
            try saving.refused(sent, error)
            progress.noteRefusal(of: sent.change, error, at: position)
        }
    }

    /// Asks for the entity of a change whose ETag is not known: sends the change with it if the service has the version
    /// that the change started from.
    ///
    /// - Parameter requiresETag: Whether the service has refused the change without one.
    func askBase(
        _ sent: SentChange, at position: Int, isLast: Bool = false, requiresETag: Bool
    ) async throws {
        let theirs: ArrivedEntity
        switch try await read(sent, at: position) {
        case .entity(let entity): theirs = entity
        case .gone where sent.change.operation == .delete:
            return try await conclude(sent, .done(nil, key: nil, etag: nil), at: position, isLast: true)
        case .gone: return try await meet(sent, nil, .deletedThere, at: position, isLast: isLast)
        case .refused(let error): return try await saveRefusal(error, of: sent, at: position)
        }
        let form = RowForm(sent.set.forRow(sent.image), version: client.map.version)
        let base = (sent.change.partner ?? sent.base)?.properties(of: sent.set) ?? JSONObject()
        let canSend = !isLast && (theirs.etag != nil || !requiresETag)
        let isSetThereToo =
            sent.change.partner == nil
            && client.changedRow(sent.image, base: sent.base, of: sent.set).isSetThereToo(in: theirs.properties)
        guard canSend, !isSetThereToo, form.areSame(base, theirs.properties, at: base.names) else {
            return try await meet(sent, theirs, .changedThere, at: position, isLast: isLast)
        }
        var change = sent.change
        change.soupId = sent.soupId
        if let partner = change.partner {
            change.partner = partner.with(etag: theirs.etag)
        } else {
            try await client.store.writingToTheEnd { [self] in try take(theirs, sent) }
        }
        try await sendOne(change, at: position, isLast: true)
    }

    /// Keeps the ETag of an entity with a row and the version that its changes started from; where the whole entity is
    /// replaced, also the properties that these lack.
    private func take(_ theirs: ArrivedEntity, _ sent: SentChange) throws(Fault) {
        let lacking = sent.set.settings.replaces ? theirs.properties : JSONObject()
        guard try saving.isPresent(sent), let row = try saving.rows(sent.set).row(sent.change.entryId),
            LocalFlags(of: row).isDirty
        else { return }
        let originals = Originals(client.store, soup: sent.set.soup)
        if var base = try originals.original(of: sent.change.entryId) {
            let known = sent.base?.properties(of: sent.set) ?? JSONObject()
            // A load may have brought another version, with an ETag of its own.
            guard base.properties(of: sent.set).hasSameContent(as: known) else { return }
            base = base.completed(by: lacking).asked(for: theirs)
            base["_soupEntryId"] = row["_soupEntryId"]
            try originals.keep(base, keyField: RowMember.key)
        }
        _ = try saving.rows(sent.set).write(row.completed(by: lacking).asked(for: theirs))
    }

    /// Decides about a change that the service has another version for.
    func meet(
        _ sent: SentChange, _ theirs: ArrivedEntity?, _ kind: Conflict.Kind, at position: Int, isLast: Bool
    ) async throws {
        let outcome = try await client.store.writingToTheEnd { [self] in
            try settle(sent, theirs, kind, at: position, isLast: isLast)
        }
        guard case .again(let operation)? = outcome else { return }
        var change = PlannedChange(
            set: sent.set, entryId: sent.change.entryId, operation: operation, key: sent.change.key)
        change.soupId = sent.soupId
        if let partner = sent.change.partner, let theirs {
            change.partner = RowForm(sent.set, version: client.map.version).clean(
                theirs.properties, key: partner.keyText, control: theirs.control, over: nil)
        }
        try await sendOne(change, at: position, isLast: true)
    }

    private enum Settled: Sendable {
        case again(ChangeOperation)
    }

    /// Saves a decision. Returns what is to be sent again, if anything.
    private func settle(
        _ sent: SentChange, _ theirs: ArrivedEntity?, _ kind: Conflict.Kind, at position: Int, isLast: Bool
    ) throws(Fault) -> Settled? {
        let set = sent.set
        // What the service has is not known by its key any more if that has another form by now.
        guard try saving.isPresent(sent), try client.registry.hasPresentKeys(set) else {
            progress.note(position, .waits)
            return nil
        }
        if isThere(sent, theirs) {
            // Its answer was lost, or another client made the same change. What was changed here since then stays.
            let sent = progress.withOtherDeletes(sent, at: position)
            try saving.done(sent, theirs, key: nil, etag: theirs?.etag, isWhole: true)
            progress.note(position, .done)
            return nil
        }
        guard let row = try saving.rows(set).row(sent.change.entryId), LocalFlags(of: row).isDirty else {
            progress.note(position, .done)
            return nil
        }
        let changed = try saving.changedRow(row, set)
        let properties = theirs.map { entity in entity.properties }
        let control = theirs?.control ?? JSONObject()
        let settling = client.settling(
            changed, kind, theirs: properties, control: control, expansions: theirs?.expansions ?? JSONObject())
        if kind == .deletedThere, changed.flags.isDeleted {
            return try write(.remove, settling, sent, at: position)
        }
        let outcome =
            isLast ? .keep : client.decide(changed, kind, theirs: properties, etag: theirs?.etag, rule: rule)
        return try write(outcome, settling, sent, at: position)
    }

    /// Whether the service has what a change was to bring about.
    private func isThere(_ sent: SentChange, _ theirs: ArrivedEntity?) -> Bool {
        guard let theirs else {
            return sent.change.operation == .delete
        }
        guard sent.change.operation != .delete else { return false }
        return client.changedRow(sent.image, base: sent.base, of: sent.set)
            .isThere(sent.sent, at: sent.sent.names, in: theirs.properties)
    }

    private func write(
        _ outcome: ConflictDecision.Outcome, _ settling: ConflictSettling, _ sent: SentChange, at position: Int
    ) throws(Fault) -> Settled? {
        let set = sent.set
        client.saved.note([sent.key], of: set.name)
        if case .theirs = outcome,
            try saving.takeKey(of: settling.theirs, settling.control, for: settling.changed.row, set)
        {
            progress.note(position, .done)
            return nil
        }
        try Outbox(client.store).remove(soup: set.soup, entryId: sent.change.entryId)
        guard let row = try settling.settle(outcome) else {
            try client.store.remove(ids: [sent.change.entryId], from: set.soup)
            progress.note(position, .done)
            return nil
        }
        _ = try saving.rows(set).write(row)
        switch outcome {
        case .keep:
            progress.note(position, .conflict)
            client.options.events?(.conflict(set: set.name, entryId: sent.change.entryId))
            return nil
        case .theirs, .remove:
            progress.note(position, .done)
            return nil
        case .joined: return .again(.update)
        case .deleteAgain: return .again(.delete)
        case .createAgain: return .again(set.isSingleton ? .update : .insert)
        }
    }
}

extension JSONObject {
    /// A row with the ETag that its entity was just read with.
    fileprivate func asked(for entity: ArrivedEntity) -> JSONObject {
        with(control: control.removing { $0 == "stale" }).with(etag: entity.etag)
    }
}
