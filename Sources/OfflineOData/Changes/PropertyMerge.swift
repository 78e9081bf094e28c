import JSONText
import LocalChanges
import OData
import OfflineStore
import ServiceTransport
import Soups

/// Plans the changes of a set whose rows are paired with entities by other properties than the key: the set is read
/// whole, and each changed or new row takes the key of the entity with the same values.
struct PropertyMerge: Sendable {
    let client: ODataClient
    let set: MappedEntitySet

    struct Plan: Sendable {
        var changes: [PlannedChange] = []
        var refused: [PushOutcome] = []
    }

    /// The entities of the service: their keys by the values of the properties, in the order of the answers, and those
    /// that pair with changed rows.
    private struct Entities: Sendable {
        var keys: [ByteKey: [String]] = [:]
        var whole: [ByteKey: JSONObject] = [:]
    }

    /// Reads the set and pairs its entities with the changed rows.
    func plan() async throws -> Plan {
        let rows = try await client.store.writingToTheEnd { try client.changedRows(of: set) }
        guard rows.contains(where: { $0.flags.pushed != nil && KeptConflict(of: $0.row) == nil }) else {
            return Plan()
        }
        let asked = Set(rows.compactMap { values(of: $0.mine) })
        let entities = try await entities(pairingWith: asked)
        return try await client.store.writingToTheEnd {
            // Rows may have been edited, and their soup replaced, while the pages were read.
            try client.registry.requireKeys(of: set)
            return try pair(client.changedRows(of: set), entities, asked)
        }
    }

    /// - Parameter asked: The values of the rows for which entities were kept. A row with others waits for the next
    ///   push.
    private func pair(_ rows: [ChangedRow], _ entities: Entities, _ asked: Set<ByteKey>) throws(Fault) -> Plan {
        let soupId = try client.store.soupId(set.soup)
        var plan = Plan()
        var deletes: [PlannedChange] = []
        for row in rows where KeptConflict(of: row.row) == nil {
            let entryId = row.row.entryId ?? 0
            guard let operation = row.flags.pushed, try maySend(entryId) else { continue }
            guard let values = values(of: row.mine) else {
                plan.refused.append(try refuse(row, operation))
                continue
            }
            guard asked.contains(values) else { continue }
            let keys = entities.keys[values] ?? []
            if operation == .delete {
                deletes += keys.map { change(entryId, .delete, entities.whole[ByteKey($0)], key: $0, soupId) }
                if keys.isEmpty {
                    try remove(entryId)
                }
                continue
            }
            guard let key = keys.min(by: isSmaller) else {
                if operation == .update {
                    try makeNew(row)
                }
                plan.changes.append(change(entryId, .insert, nil, key: "", soupId))
                continue
            }
            if keys.count > 1 {
                client.options.events?(.ambiguous(set: set.name, entryId: entryId))
            }
            try makeUpdate(row)
            plan.changes.append(change(entryId, .update, entities.whole[ByteKey(key)], key: key, soupId))
        }
        plan.changes += deletes
        return plan
    }

    /// Whether nothing that was sent of a row is in doubt, or it is sent all the same.
    private func maySend(_ entryId: Int64) throws(Fault) -> Bool {
        let outbox = Outbox(client.store)
        guard try outbox.row(soup: set.soup, entryId: entryId) != nil else { return true }
        guard set.settings.doubt == .resend else { return false }
        return try outbox.remove(soup: set.soup, entryId: entryId)
    }

    private func change(
        _ entryId: Int64, _ operation: ChangeOperation, _ partner: JSONObject?, key: String, _ soupId: Int64?
    ) -> PlannedChange {
        var change = PlannedChange(set: set, entryId: entryId, operation: operation, key: key)
        change.partner = partner
        change.soupId = soupId
        return change
    }

    private func remove(_ entryId: Int64) throws(Fault) {
        try client.store.remove(ids: [entryId], from: set.soup)
        try Originals(client.store, soup: set.soup).remove([entryId])
    }

    /// Makes a changed row one that is inserted: the service has no entity with its values.
    private func makeNew(_ row: ChangedRow) throws(Fault) {
        var flags = LocalFlags()
        flags.isCreated = true
        // Its key is that of an entity which the service does not have.
        let key = LocalId.next(from: client.options.uuids)
        try KeyReplacement(store: client.store, map: client.map).replace(row.row.keyText, by: key, of: set)
        let properties = row.mine.removing {
            set.isKey($0) && !isMergedBy($0) && !client.map.isForeignKey($0, of: set)
        }
        var created = row.form.clean(properties, key: key, control: JSONObject(), over: row.row)
        flags.write(to: &created)
        created[ReservedField.lastError] = row.row[ReservedField.lastError]
        try Originals(client.store, soup: set.soup).remove([row.row.entryId ?? 0])
        _ = try SoupRows(client.store, soup: set.soup).write(created)
    }

    private func isMergedBy(_ name: String) -> Bool { set.settings.mergesBy.contains { ByteKey($0) == ByteKey(name) } }

    /// Makes a new row one that updates the entity with its values.
    private func makeUpdate(_ row: ChangedRow) throws(Fault) {
        guard row.flags.isCreated else { return }
        var flags = LocalFlags()
        flags.isUpdated = true
        var updated = row.row
        flags.write(to: &updated)
        _ = try SoupRows(client.store, soup: set.soup).write(updated)
    }

    private func refuse(_ row: ChangedRow, _ operation: ChangeOperation) throws(Fault) -> PushOutcome {
        let entryId = row.row.entryId ?? 0
        let error = ServiceRefusal.json(
            code: "noValues", "the row has no value at a property by which it is paired with the service")
        try PushSaving(client: client).note(error, change(entryId, operation, nil, key: "", nil))
        return PushOutcome(
            entitySet: set.name, entryId: entryId, operation: operation, kind: .refused, error: error)
    }

    /// The values of the properties as one text; nil if one is missing or null.
    private func values(of properties: JSONObject) -> ByteKey? {
        var texts: [String] = []
        for name in set.settings.mergesBy {
            guard let value = properties[name], !value.isNull else { return nil }
            let types = StoredTypes(model: set.model, version: client.map.version, entityType: set.entityType)
            let stored = (try? types.stored(value, named: name)) ?? value
            texts.append(instant(stored, named: name) ?? stored.text(.canonical))
        }
        return ByteKey(texts.joined(separator: "\u{1F}"))
    }

    /// An instant in UTC, for it is the same value in any offset; nil for other values.
    private func instant(_ value: JSONValue, named name: String) -> String? {
        guard let model = set.model, let type = set.entityType,
            model.property(name, of: type)?.type.primitiveType == .dateTimeOffset,
            let date = value.string.flatMap({ EdmDateTimeOffset($0) })
        else { return nil }
        return EdmDateTimeOffset(
            secondsSinceEpoch: date.secondsSinceEpoch, picosecond: date.local.time.picosecond)?.description
    }

    /// Numbers by their value, other keys by their bytes.
    private func isSmaller(_ a: String, _ b: String) -> Bool {
        if let x = Int64(a), let y = Int64(b) {
            return x < y
        }
        return EntitySetMap.isBefore(a, b)
    }

    /// Reads all pages of the set.
    private func entities(pairingWith values: Set<ByteKey>) async throws -> Entities {
        var entities = Entities()
        var link = client.connection.root.text + set.urlSegment
        var visited: Set<String> = []
        while visited.insert(link).inserted {
            let request = try client.connection.read(link)
            let response = try await client.connection.send(request)
            if let fault = AnswerFault.fault(response, to: request) {
                throw fault
            }
            let options = client.connection.payloadOptions(
                response, to: request, model: client.map.model, entityType: set.entityType)
            let page = LoadedPage(response, to: request, options: options)
            while let change = try page.next() {
                guard case .entry(let entry) = change else { continue }
                let entity = try client.pushReading.entity(entry, of: set)
                guard let text = self.values(of: entity.properties) else { continue }
                entities.keys[text, default: []].append(entity.key)
                if values.contains(text) {
                    entities.whole[ByteKey(entity.key)] = RowForm(set, version: client.map.version)
                        .row(of: entity, over: nil)
                }
            }
            guard let next = page.nextLink else {
                return entities
            }
            link = next
        }
        throw Fault(.malformedAnswer, "the pages of the entity set \(set.name) lead back to one of them")
    }
}
