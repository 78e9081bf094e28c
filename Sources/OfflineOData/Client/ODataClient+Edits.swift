public import JSONText
import LocalChanges
import OData
import OfflineStore
public import Soups

extension ODataClient {
    /// Creates an entity locally, and returns its row. It gets a local id as its key, unless it has all key properties,
    /// or the set makes keys.
    ///
    /// With a model the values are checked and brought into their stored form. `Name@odata.bind`, or `Name@bind`, with
    /// a URL or an array of URLs binds the links of a navigation property, in place of its foreign key. `@odata.type`
    /// names a type that is derived from that of the set. Other annotations are refused. One transaction; nothing is
    /// sent.
    ///
    /// - Throws: `invalidArguments` for a set that is not mapped; `unknownProperty`; `invalidEntry` with the path of a
    ///   value that the property cannot have, and for a key that a row has already; as `upsert`.
    @discardableResult
    public func create(_ set: String, _ entity: JSONObject) throws(Fault) -> JSONObject {
        let set = try map.set(set)
        guard !set.isSingleton else {
            throw Fault(.invalidArguments, "\(set.name) is a single entity; it can only be updated")
        }
        let type = try StatedEntityType(entity, of: set)
        let typed = set.forRow(type.row(JSONObject()))
        let checked = try EditCheck(map: map, set: typed, isInsert: true).checked(type.properties)
        let given = set.makingKey(checked, from: options.uuids)
        return try store.atomically { () throws(Fault) in
            var row = type.row(given)
            row[RowMember.key] = try keyOfNewRow(row, set).map(JSONValue.string)
            if let key = row[RowMember.key]?.string {
                try requireFree(key, set)
            }
            return try edits(set).create(row)
        }
    }

    /// Replaces properties of an entity locally, one by one, and returns its row. Null is a value. A value that
    /// the property has already is not a change; properties that only the row has (`localOnly`) do not mark it as
    /// changed.
    ///
    /// - Throws: as `create`; `invalidEntry` if there is no such row, it was deleted locally, or the key of an existing
    ///   entity would change; `metadataChanged` for a key of a set that is still to be reloaded under another key, if
    ///   the row that has it may be that of another entity.
    @discardableResult
    public func update(_ set: String, _ reference: RowReference, _ changes: JSONObject) throws(Fault) -> JSONObject {
        let set = try map.set(set)
        return try store.atomically { () throws(Fault) in
            var row = try self.row(reference, of: set)
            let flags = LocalFlags(of: row)
            let typed = set.forRow(row)
            let given = try StatedEntityType(changes, of: set)
            try given.requireType(of: row)
            let checked = try EditCheck(map: map, set: typed, isInsert: flags.isCreated, row: row)
                .checked(given.properties)
            let local = checked.removing { !set.isLocalOnly($0) }
            if !local.isEmpty {
                guard !flags.isDeleted else {
                    throw Fault(.invalidEntry, "the row was deleted locally; undelete it first")
                }
                row = try SoupRows(store, soup: set.soup).write(row.settingLocal(local))
            }
            let own = checked.removing { set.isLocalOnly($0) }
            let types = StoredTypes(model: set.model, version: map.version, entityType: typed.entityType)
            let effective = JSONObject(
                own.members.filter { name, value in
                    row[name] == nil || !types.areSame(row[name], value, named: name)
                        || row[name]?.isNull != value.isNull
                }.map { ($0.name, $0.value) })
            let expanded = row.expandedNames
            if let name = effective.names.first(where: { expanded.contains(ByteKey($0)) }) {
                throw EditCheck.deepInsert(name)
            }
            if !flags.isCreated, let name = effective.names.first(where: { set.isKey($0) }) {
                throw Fault(
                    .invalidEntry, "the key of an existing entity cannot be changed",
                    context: [.soup(set.soup), .path(name)])
            }
            guard !effective.isEmpty || flags.isDeleted, let entryId = row.entryId else {
                return row
            }
            let changed = try edits(set).update(entryId, changes: effective)
            guard flags.isCreated else {
                return changed
            }
            return try takingKey(changed, set)
        }
    }

    /// Deletes an entity locally, and returns its row. One that was created here is removed, and nil is returned. If it
    /// is in conflict with an entity of the service that has its key, it becomes that one, as `discard` makes it.
    ///
    /// A new entity whose insert the client would repeat (its key is given here, or `doubt` is `resend`) is removed
    /// also while its insert is under way or after the answer was lost. Where the service has created it, a load brings
    /// it back, and it can be deleted then. Rows that refer to a removed new entity are refused by a push until they
    /// name another one.
    ///
    /// - Throws: as `update`.
    @discardableResult
    public func delete(_ set: String, _ reference: RowReference) throws(Fault) -> JSONObject? {
        let set = try map.set(set)
        guard !set.isSingleton else {
            throw Fault(.invalidArguments, "\(set.name) is a single entity; it can only be updated")
        }
        return try store.atomically { () throws(Fault) in
            let row = try self.row(reference, of: set)
            let entryId = row.entryId ?? 0
            // An insert whose answer was lost may have been done: the row stays until that is decided.
            if LocalFlags(of: row).isCreated, try Outbox(store).row(soup: set.soup, entryId: entryId) != nil {
                var held = row
                var flags = LocalFlags(of: row)
                flags.isDeleted = true
                flags.write(to: &held)
                return try SoupRows(store, soup: set.soup).write(held)
            }
            if LocalFlags(of: row).isCreated, let conflict = KeptConflict(of: row), conflict.theirs != nil {
                return try settle(row, conflict, of: set, .theirs)
            }
            return try edits(set).delete(entryId)
        }
    }

    /// Takes back a local deletion, and returns the row. A row in conflict that was not changed otherwise has no local
    /// change then: it becomes the version of the service, as `discard` makes it, and the conflict is decided. One
    /// whose entity may be gone (its deletion was sent without an answer, or a full load has not met it) counts as
    /// changed until a push has asked for it. A row that
    /// `mergesBy` pairs with several entities, of which only its own was deleted, becomes a new one.
    ///
    /// - Throws: as `update`.
    @discardableResult
    public func undelete(_ set: String, _ reference: RowReference) throws(Fault) -> JSONObject {
        let set = try map.set(set)
        return try store.atomically { () throws(Fault) in
            let row = try self.row(reference, of: set)
            // A clean row with the old version would hide what the service has, and no conflict would be reported.
            if let conflict = KeptConflict(of: row), conflict.theirs != nil, LocalFlags(of: row).isOnlyDeleted,
                let theirs = try settle(row, conflict, of: set, .theirs)
            {
                return theirs
            }
            let flags = LocalFlags(of: row)
            if row.wasSent || row.isUnmet, flags.isDeleted, !flags.isCreated {
                return try undeleteUncertain(row, of: set)
            }
            let back = try edits(set).undelete(row.entryId ?? 0)
            return row.isGone ? try PushSaving(client: self).createAgain(back, of: set) : back
        }
    }

    /// Takes back a deletion of an entity that may be gone: the answer to its deletion was lost, or a full load has not
    /// met it. A push asks for the entity, and finds a conflict if it is gone.
    private func undeleteUncertain(_ row: JSONObject, of set: MappedEntitySet) throws(Fault) -> JSONObject {
        let originals = Originals(store, soup: set.soup)
        if var base = try originals.original(of: row.entryId ?? 0) {
            base = base.with(control: base.control.merging(["stale": true]))
            base["_soupEntryId"] = row["_soupEntryId"]
            try originals.keep(base, keyField: RowMember.key)
        }
        let typed = set.forRow(row)
        let name = row.properties(of: set).names.first { name in
            !name.isAnnotation && !set.isKey(name) && !typed.isReadOnly(name, isInsert: false)
        }
        var back = row.addingUnanswered(name.map { [$0] } ?? [])
        var flags = LocalFlags(of: row)
        flags.isDeleted = false
        flags.isUpdated = true
        flags.write(to: &back)
        return try SoupRows(store, soup: set.soup).write(back)
    }

    /// Takes back all local changes of an entity, and returns its row: as it was, or, for a row in conflict, as the
    /// service has it. A row that was created here, or is gone there, is removed, and nil is returned; so is one that the
    /// last full load has not met. One that
    /// `mergesBy` pairs with several entities, of which only its own was deleted, becomes a new one.
    ///
    /// - Throws: as `update`; `invalidEntry` if no original was kept.
    @discardableResult
    public func discard(_ set: String, _ reference: RowReference) throws(Fault) -> JSONObject? {
        let set = try map.set(set)
        return try store.atomically { () throws(Fault) in
            let row = try self.row(reference, of: set)
            if let conflict = KeptConflict(of: row) {
                return try settle(row, conflict, of: set, .theirs)
            }
            guard let original = try edits(set).discard(row.entryId ?? 0) else {
                return nil
            }
            guard !row.isUnmet else {
                try store.remove(ids: [row.entryId ?? 0], from: set.soup)
                return nil
            }
            let clean = row.isGone ? try PushSaving(client: self).createAgain(original, of: set) : original
            let own = JSONObject(row.members.filter { set.isLocalOnly($0.name) }.map { ($0.name, $0.value) })
            guard own.members.contains(where: { clean[$0.name] != $0.value }) else {
                return clean
            }
            return try SoupRows(store, soup: set.soup).write(clean.merging(own))
        }
    }

    func edits(_ set: MappedEntitySet) -> LocalEdits {
        LocalEdits(store, soup: set.soup, keyField: RowMember.key, keepsOriginals: true, uuids: options.uuids)
    }

    // MARK: - Keys

    /// The key that a row which is created here gets at once; nil if the service gives the key. Also nil before a reload
    /// under another key: a key of the present form may be the former one of another row.
    private func keyOfNewRow(_ row: JSONObject, _ set: MappedEntitySet) throws(Fault) -> String? {
        guard let key = try clientKey(of: row, set), try registry.hasPresentKeys(set) else { return nil }
        return key
    }

    /// The key text of a new entity that has all key properties; nil if the service gives the key.
    func clientKey(of row: JSONObject, _ set: MappedEntitySet) throws(Fault) -> String? {
        guard let value = StoredKey.value(of: row, set) else { return nil }
        let parts = value.object?.members.map(\.value) ?? [value]
        guard !parts.contains(where: { LocalId.isLocal($0.string ?? "") }) else { return nil }
        do throws(Fault) {
            return try StoredKey.text(of: value, set, version: map.version)
        } catch {
            let path = set.key.count == 1 ? set.key.map { Fault.Context.path($0) } : []
            throw Fault(.invalidEntry, error.message, context: [.soup(set.soup)] + path)
        }
    }

    /// Whether no row of a set has a key.
    func isFree(_ key: String, _ set: MappedEntitySet) throws(Fault) -> Bool {
        try store.lookUp([.text(key)], path: RowMember.key, in: set.soup, selecting: ["_soupEntryId"]).isEmpty
    }

    private func requireFree(_ key: String, _ set: MappedEntitySet) throws(Fault) {
        guard try isFree(key, set) else {
            throw Fault(
                .invalidEntry, "another row of \(set.name) has this key", context: [.soup(set.soup)])
        }
    }

    /// Gives a row that was created here the key that its properties have now.
    func takingKey(_ row: JSONObject, _ set: MappedEntitySet) throws(Fault) -> JSONObject {
        guard let key = try keyOfNewRow(row, set), ByteKey(key) != ByteKey(row.keyText) else { return row }
        try requireFree(key, set)
        return try giving(key, to: row, set)
    }

    /// Gives a row that was created here a key that no other row has.
    func giving(_ key: String, to row: JSONObject, _ set: MappedEntitySet) throws(Fault) -> JSONObject {
        let replacement = KeyReplacement(store: store, map: map)
        try replacement.replace(row.keyText, by: key, of: set)
        // The row may refer to itself.
        var row = replacement.replacing(row.keyText, by: key, of: set, in: row)
        row[RowMember.key] = .string(key)
        return try SoupRows(store, soup: set.soup).write(row)
    }
}

/// The text of a UUID.
enum UUIDText {
    /// 32 digits with hyphens.
    static func dashed(_ digits: String) -> String {
        let text = Array(digits)
        guard text.count == 32 else { return digits }
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(text[$0]) }.joined(separator: "-")
    }
}
