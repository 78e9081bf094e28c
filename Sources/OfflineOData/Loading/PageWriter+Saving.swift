import JSONText
import LocalChanges
import Soups

extension PageWriter {
    /// Saves an entity and the related ones that came with it.
    func save(
        _ given: ArrivedEntity, of set: MappedEntitySet, isPartial: Bool, _ expansions: LoadExpansions
    ) throws(Fault) {
        try requirePresentKeys(of: set)
        try giveKey(of: given, of: set)
        meet(given.key, of: set)
        if ByteKey(set.name) != ByteKey(self.set.name) {
            otherKeys[ByteKey(set.name), default: []].insert(ByteKey(given.key))
        } else if !state.isDelta {
            keys.append(given.key)
        }
        var entity = given
        for related in given.related where !related.isDependent {
            try savePrincipal(related, of: &entity, expansions[related.reference.navigation ?? ""])
        }
        let left = try takeLeft(entity.key, of: set)
        let buffer = buffer(set)
        if !isPartial, try buffer.holds(form(set).row(of: entity, over: nil), entity.key) {
            // A row like this one is clean.
            for related in given.related where related.isDependent {
                try saveDependents(related, of: entity, expansions[related.reference.inverse ?? ""])
            }
            return try pendingLinks.apply(to: set, entity, self)
        }
        let row = try knownRow(of: entity, set)
        if let row, LocalFlags(of: row).isDirty, state.mergeMode == .leave {
            try meet(entity, row, of: set, isPartial: isPartial)
        } else {
            let isDirty = row.map { LocalFlags(of: $0).isDirty } ?? false
            let clean = isDirty ? try row.map { (row) throws(Fault) in try undone(row, of: set) } : row
            let form = form(set)
            var new =
                isPartial
                ? form.merged(entity, into: clean, mayLackChanges: mayLackChanges)
                : form.row(of: entity, over: row)
            if row == nil, let left {
                new = new.settingLocal(left)
            }
            try buffer.put(new, entity.key)
        }
        for related in given.related where related.isDependent {
            try saveDependents(related, of: entity, expansions[related.reference.inverse ?? ""])
        }
        try pendingLinks.apply(to: set, entity, self)
    }

    /// The row of an entity; nil without one. The clean row of another entity with its key is removed.
    private func knownRow(of entity: ArrivedEntity, _ set: MappedEntitySet) throws(Fault) -> JSONObject? {
        let row = try buffer(set).row(entity.key) ?? unlisted[SavedKeys.name(entity.key, set.name)]
        guard isOfAnother(row, than: entity, set) else { return row }
        try buffer(set).giveUp(entity.key)
        return nil
    }

    /// Whether properties that did not come may have changed: where only some were asked for. A delta has all that
    /// changed.
    private var mayLackChanges: Bool { query.isPartial || !state.isDelta }

    /// A row without its local changes, which are forgotten.
    private func undone(_ row: JSONObject, of set: MappedEntitySet) throws(Fault) -> JSONObject {
        guard let id = row.entryId else { return row }
        let originals = Originals(store, soup: set.soup)
        let original = try originals.original(of: id)
        // Of a row that was created here nothing is known but what arrives.
        var base = original ?? JSONObject([(RowMember.control, .object(JSONObject([("partial", .bool(true))])))])
        base["_soupEntryId"] = row["_soupEntryId"]
        for (name, value) in row.members where set.isLocalOnly(name) && !ReservedField.isReserved(name) {
            base[name] = value
        }
        try originals.remove([id])
        try Outbox(store).remove(soup: set.soup, entryId: id)
        return base
    }

    /// Compares what arrived with a row that was changed here.
    private func meet(
        _ entity: ArrivedEntity, _ row: JSONObject, of set: MappedEntitySet, isPartial: Bool
    ) throws(Fault) {
        let meeting = try ChangedRowMeeting(
            client, set, row, entity, isPartial: isPartial, mayLackChanges: mayLackChanges)
        let outcome = try meeting.settle()
        if outcome.isLeft {
            summary.skipped += 1
        }
        if outcome.isConflict, let id = row.entryId {
            conflicts.append((set.name, id))
        }
        if let row = outcome.row {
            try buffer(set).put(row, entity.key)
        } else {
            try buffer(set).remove(entity.key)
        }
    }
}
