import JSONText
import LocalChanges
import OfflineStore
import Soups

extension PageWriter {
    /// Removes an entity that the service no longer has. A row that was changed here becomes a conflict.
    ///
    /// - Parameters:
    ///   - isThere: Whether the entity has only left what is loaded: a local deletion of it is still to be sent.
    ///   - mayReturn: Whether the entity may come again, on a later page.
    func remove(
        _ key: String, of set: MappedEntitySet, depth: Int = 0, isThere: Bool = false, mayReturn: Bool = false
    ) throws(Fault) {
        meet(key, of: set)
        if !mayReturn {
            try takeLeft(key, of: set)
        }
        guard let row = try buffer(set).row(key) else { return }
        // A row of its own that has the key of an entity which is gone: that one was another, unless the row is known
        // to be in conflict with it, or an insert may have created it.
        if LocalFlags(of: row).isCreated, state.mergeMode == .leave, KeptConflict(of: row) == nil, !row.wasSent {
            summary.skipped += 1
            return
        }
        if isThere, LocalFlags(of: row).isDeleted, state.mergeMode == .leave {
            summary.skipped += 1
            return
        }
        guard LocalFlags(of: row).isDirty, state.mergeMode == .leave else {
            if mayReturn, try left(of: set) != nil {
                left?.keep(row, of: set)
            }
            try buffer(set).remove(key)
            return try removeDependents(of: key, set, depth: depth)
        }
        let changed = ChangedRow(
            form: form(set), row: row, base: try Originals(store, soup: set.soup).original(of: row.entryId ?? 0),
            reading: client.reading)
        let settling = client.settling(changed, .deletedThere, theirs: nil, control: JSONObject())
        // A conflict that is known keeps waiting for a decision.
        let waits = KeptConflict(of: row) != nil
        let outcome: ConflictDecision.Outcome =
            changed.flags.isDeleted
            ? .remove : waits ? .keep : client.decide(changed, .deletedThere, theirs: nil, etag: nil)
        if case .createAgain = outcome {
            // The rows that refer to the entity are written in the store: no buffer may keep one as it was.
            try flush()
        }
        let settled = try settling.settle(outcome)
        guard let settled else {
            return try buffer(set).remove(key)
        }
        summary.skipped += 1
        if case .keep = outcome, let id = row.entryId {
            conflicts.append((set.name, id))
        }
        guard ByteKey(settled.keyText) == ByteKey(key) else {
            return try buffer(set).move(settled, from: key)
        }
        try buffer(set).put(settled, key)
    }

    /// Removes the clean rows of the set with some keys, and marks those with local changes: their entities are gone.
    func removeClean(_ keys: [String]) throws(Fault) {
        guard !keys.isEmpty else { return }
        let found = try store.lookUp(
            keys.map(SQLValue.text), path: RowMember.key, in: set.soup,
            selecting: [RowMember.key, ReservedField.local])
        var clean: [String] = []
        var changed: [String] = []
        for cells in found {
            guard cells.count == 2, case .value(.text(let key)) = cells[0],
                case .value(.text(let flag)) = cells[1]
            else { continue }
            if flag.elementsEqual("false".utf8) {
                clean.append(String(decoding: key, as: UTF8.self))
            } else {
                changed.append(String(decoding: key, as: UTF8.self))
            }
        }
        try buffer(set).prepare(clean)
        for key in clean {
            try remove(key, of: set)
        }
        for key in changed {
            try markUnmet(key)
        }
    }

    /// Marks the changed rows whose entity no page has listed. Their push finds out, or they go when their changes are
    /// taken back.
    private func markUnmet(_ key: String) throws(Fault) {
        let rows = SoupRows(store, soup: set.soup)
        for row in try rows.rows(where: RowMember.key, is: .text(key)) {
            let flags = LocalFlags(of: row)
            guard flags.isDirty, !flags.isCreated, !row.isUnmet else { continue }
            _ = try rows.write(row.markedUnmet)
        }
    }

    /// Removes the clean rows that came with a removed entity, where their set has no load of its own.
    func removeDependents(of key: String, _ set: MappedEntitySet, depth: Int = 0) throws(Fault) {
        guard depth < 8 else { return }
        for reference in map.references(toPrincipal: set.name) {
            guard let dependent = map.find(reference.dependent), try !isLoaded(dependent) else { continue }
            let listed = listed[ByteKey(dependent.name)]
            for row in try dependents(of: key, reference, withArrived: true)
            where listed?.contains(row.keyText) != true && !cameInAnother(row.keyText, of: dependent, reference) {
                try remove(row.keyText, of: dependent, depth: depth + 1, mayReturn: !state.isRemoving)
            }
        }
    }

    /// Whether the page has listed an entity with one that it refers to by another foreign key: there it is still.
    private func cameInAnother(_ key: String, of set: MappedEntitySet, _ reference: EntityReference) -> Bool {
        guard let foreignKey = expandedBy[ByteKey(set.name)]?[ByteKey(key)] else { return false }
        return foreignKey != reference.foreignKey.map { ByteKey($0) }
    }
}
