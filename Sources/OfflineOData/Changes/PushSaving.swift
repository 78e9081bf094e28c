import JSONText
import LocalChanges
import OData
import OfflineStore
import Soups

/// Saves what became of changes that were sent. Every call is inside a transaction of the caller.
struct PushSaving {
    let client: ODataClient

    private var store: SmartStore { client.store }

    // MARK: - Done

    /// Saves that the service has done a change.
    ///
    /// - Parameter isWhole: Whether the entity alone is the version of the service. Otherwise its properties are put
    ///   over those that were sent.
    func done(
        _ sent: SentChange, _ entity: ArrivedEntity?, key: String?, etag: String?, isWhole: Bool = false
    ) throws(Fault) {
        let set = sent.set
        try Outbox(store).remove(soup: set.soup, entryId: sent.change.entryId)
        guard let row = try rows(set).row(sent.change.entryId) else { return }
        guard sent.change.operation != .delete else {
            return try deleted(sent, row)
        }
        let key = key ?? sent.change.partner?.keyText ?? sent.image.keyText
        let loaded = try entity == nil && sent.change.isInsert ? loadedEntity(key, sent) : nil
        let theirs = version(sent, entity ?? loaded, key: key, etag: etag, isWhole: isWhole || loaded != nil)
        let isEdited = !row.hasSameContent(as: sent.image)
        if isEdited, sent.change.operation == .update, sent.change.partner == nil,
            try isOvertaken(row, sent, theirs)
        {
            return try noteSeen([row.keyText], set)
        }
        // Also if the row is removed below because another one has the key: references then name that one.
        let former = [sent.image.keyText] + (try hasOwnKey(row, sent) ? [row.keyText] : [])
        for former in former where ByteKey(key) != ByteKey(former) {
            try KeyReplacement(store: store, map: client.map).replace(former, by: key, of: set)
        }
        let rowKey = try rowKey(for: key, theirs, sent)
        guard try makeRoom(for: rowKey, sent, isEdited: isEdited) else { return }
        // A row that refers to itself was changed with the others.
        let present = try rows(set).row(sent.change.entryId) ?? row
        if isEdited || !sent.change.leftOut.isEmpty {
            try stayDirty(present, sent, theirs, key: rowKey, isRivalled: try isRivalled(rowKey, sent))
        } else {
            try Originals(store, soup: set.soup).remove([sent.change.entryId])
            _ = try rows(set).write(clean(theirs, key: rowKey, of: set, over: present))
        }
        try noteSeen([rowKey], set)
    }

    /// The key of the row of an entity.
    ///
    /// Another client may have begun to give the rows of the set keys of another form since an insert was sent. Then
    /// the row gets the key of the row in which that client has loaded the entity, or waits for the entity.
    private func rowKey(for key: String, _ theirs: Version, _ sent: SentChange) throws(Fault) -> String {
        let set = sent.set
        guard sent.change.isInsert, !set.isSingleton, try !client.registry.hasPresentKeys(set) else { return key }
        guard let waiting = FormerKey(set.key, of: theirs.properties, set) else {
            return FormerKey(entryId: sent.change.entryId).text
        }
        let loaded = try waiting.loadedRows(of: set, store, theirs.properties).first { row in
            row.entryId != sent.change.entryId && !FormerKey.isFormer(row.keyText)
        }
        return loaded?.keyText ?? waiting.text
    }

    /// Whether a new row has got another key since it was sent, which no other row has: what refers to it refers to
    /// this row.
    private func hasOwnKey(_ row: JSONObject, _ sent: SentChange) throws(Fault) -> Bool {
        guard sent.change.isInsert, ByteKey(row.keyText) != ByteKey(sent.image.keyText) else { return false }
        let same = try rows(sent.set).rows(where: RowMember.key, is: .text(row.keyText))
        return same.allSatisfy { $0.entryId == row.entryId }
    }

    /// Whether a load has met the row since its update was sent, and has found more than that update left there: a
    /// conflict, a newer version, or that the entity is gone. What it made of the row stays.
    private func isOvertaken(_ row: JSONObject, _ sent: SentChange, _ theirs: Version) throws(Fault) -> Bool {
        let flags = LocalFlags(of: row)
        // The entity was gone, and the row is a new one, also where it has kept its key.
        guard ByteKey(row.keyText) == ByteKey(sent.image.keyText), !flags.isCreated else { return true }
        let form = RowForm(sent.set.forRow(sent.image), version: client.map.version)
        if let conflict = KeptConflict(of: row) {
            return isNewer(conflict, than: theirs, form)
        }
        guard let base = sent.base?.properties(of: sent.set) else { return false }
        guard flags.isDirty else {
            // A row that was discarded is as it was before the change, which the service has now.
            return !form.differences(from: base, to: row.properties(of: sent.set)).isEmpty
        }
        // The load may have given its changes another version to start from.
        let original = try Originals(store, soup: sent.set.soup).original(of: sent.change.entryId)
        return original.map { !form.differences(from: base, to: $0.properties(of: sent.set)).isEmpty } ?? false
    }

    /// Whether the version in conflict is another one than an update left there.
    private func isNewer(_ conflict: KeptConflict, than theirs: Version, _ form: RowForm) -> Bool {
        guard let found = conflict.theirs else { return true }
        if let etag = conflict.control["etag"]?.string, let own = theirs.control["etag"]?.string {
            return ByteKey(etag) != ByteKey(own)
        }
        // What the service fills in is not known from an answer without an entity.
        let names = found.names.filter { !form.set.isReadOnly($0, isInsert: false) }
        return !form.areSame(found, theirs.properties, at: names)
    }

    /// Makes a row the version of the service, with its key, where the row was paired with an entity of another key.
    ///
    /// Returns whether it was.
    func takeKey(
        of theirs: JSONObject?, _ control: JSONObject, for row: JSONObject, _ set: MappedEntitySet
    ) throws(Fault) -> Bool {
        guard !set.settings.mergesBy.isEmpty, let theirs,
            let key = try StoredKey.text(of: theirs, set, version: client.map.version),
            ByteKey(key) != ByteKey(row.keyText)
        else { return false }
        let entity = ArrivedEntity(key: key, properties: theirs, control: control)
        var change = PlannedChange(set: set, entryId: row.entryId ?? 0, operation: .update, key: key)
        change.partner = RowForm(set, version: client.map.version).row(of: entity, over: nil)
        let sent = SentChange(change: change, image: row, base: nil, sent: JSONObject(), mayDouble: false)
        try done(sent, entity, key: key, etag: entity.etag, isWhole: true)
        return true
    }

    /// An entity as the service has it after a change.
    struct Version {
        let properties: JSONObject
        let control: JSONObject
        let expansions: JSONObject
    }

    /// The entity as the service has it after a change.
    func version(
        _ sent: SentChange, _ entity: ArrivedEntity?, key: String, etag: String?, isWhole: Bool
    ) -> Version {
        let set = sent.set
        let form = RowForm(set.forRow(sent.image), version: client.map.version)
        var properties = sent.image.properties(of: set)
        for name in sent.change.leftOut.flatMap(\.foreignKey) {
            properties = properties.setting(.null, at: name)
        }
        if let entity {
            properties = isWhole ? entity.properties : properties.merging(entity.properties)
        }
        properties = self.properties(properties, withKey: key, set).removing { $0.isBinding }
        let former = isWhole ? JSONObject() : formerControl(sent)
        var control = entity.map { former.removing { $0 == "etag" || $0 == "stale" }.merging($0.control) } ?? former
        if let etag {
            control = JSONObject([("etag", .string(etag))]).merging(control.removing { $0 == "etag" || $0 == "stale" })
        } else if control["etag"] != nil, entity == nil {
            // The ETag is that of the version before.
            control["etag"] = nil
            control["stale"] = true
        }
        // What the service fills in is not known, and neither is a foreign key whose link was bound.
        if entity == nil, sent.change.isInsert || sent.sent.names.contains(where: \.isBinding) {
            control["partial"] = true
        } else if let entity, !form.lacksProperties(entity) {
            control["partial"] = nil
        }
        let expansions = sent.image.expansions(of: set).merging(entity?.expansions ?? JSONObject())
        return Version(properties: properties, control: control, expansions: expansions)
    }

    /// A clean row of an entity as the service has it.
    func clean(_ version: Version, key: String, of set: MappedEntitySet, over row: JSONObject) -> JSONObject {
        RowForm(set, version: client.map.version).clean(
            version.properties, key: key, control: version.control, over: row, expansions: version.expansions)
    }

    /// The last facts from the service about the entity before the change.
    private func formerControl(_ sent: SentChange) -> JSONObject {
        let own = (sent.base ?? sent.image).control.withoutUnanswered
        guard var control = sent.change.partner?.control else { return own }
        // The row may lack properties that its partner has.
        control["partial"] = own["partial"]
        return control
    }

    /// Properties with the parts of the entity's key, in place of what they have there.
    private func properties(_ given: JSONObject, withKey key: String, _ set: MappedEntitySet) -> JSONObject {
        let form = RowForm(set, version: client.map.version)
        var properties = given
        for name in set.key {
            let path = name.replacingSlashes
            guard let part = KeyReplacement.part(path, of: key, set) else { continue }
            if name == path, properties.value(at: path).map(\.isNull) ?? true {
                properties = JSONObject([(name, part)]).merging(properties.removing { $0 == name })
            } else if !form.types.areSame(properties.value(at: path), part, named: name) {
                properties = properties.setting(part, at: path)
            }
        }
        return properties
    }

    /// Saves a row that has more changes than were sent.
    private func stayDirty(
        _ row: JSONObject, _ sent: SentChange, _ theirs: Version, key: String, isRivalled: Bool
    ) throws(Fault) {
        let set = sent.set
        let form = RowForm(set, version: client.map.version)
        var base = clean(theirs, key: key, of: set, over: row)
        base["_soupEntryId"] = row["_soupEntryId"]
        try Originals(store, soup: set.soup).keep(base, keyField: RowMember.key)
        var flags = LocalFlags(of: row)
        if flags.isCreated || !flags.isDirty {
            flags.isCreated = false
            flags.isUpdated = !flags.isDeleted
        }
        var mine = row.properties(of: set)
        for name in set.key.map(\.replacingSlashes) {
            if let part = theirs.properties.value(at: name) {
                mine = mine.setting(part, at: name)
            }
        }
        // What was not edited since it was sent is as the service has it.
        let image = sent.image.properties(of: set)
        mine = mine.removing { name in name.isBinding && mine[name] == image[name] }
        let waiting = Set(sent.change.leftOut.flatMap(\.foreignKey).map { ByteKey($0) })
        for name in theirs.properties.names where !waiting.contains(ByteKey(name)) {
            let wasSetToNull = mine[name]?.isNull == true && image[name] == nil
            if mine[name] == nil || form.types.areSame(mine[name], image[name], named: name) && !wasSetToNull {
                mine[name] = theirs.properties[name]
            }
        }
        var changed = form.clean(
            mine, key: key, control: theirs.control, over: row, expansions: theirs.expansions)
        flags.write(to: &changed)
        if isRivalled {
            changed[ReservedField.lastError] = .string(JSONValue.object(ServiceRefusal.duplicate).text())
        }
        _ = try rows(set).write(changed)
    }

    private func rivals(_ key: String, _ sent: SentChange) throws(Fault) -> [JSONObject] {
        guard sent.change.isInsert || sent.change.partner != nil else {
            return []
        }
        return try rows(sent.set).rows(where: RowMember.key, is: .text(key)).filter {
            $0.entryId != sent.change.entryId
        }
    }

    private func isRivalled(_ key: String, _ sent: SentChange) throws(Fault) -> Bool {
        try rivals(key, sent).contains { LocalFlags(of: $0).isDirty }
    }

    /// The new entity as a load has brought it in a row of its own; nil if none has. During a reload under another key
    /// the row with a key may be that of another entity.
    private func loadedEntity(_ key: String, _ sent: SentChange) throws(Fault) -> ArrivedEntity? {
        guard try client.registry.hasPresentKeys(sent.set) else { return nil }
        let loaded = try rivals(key, sent).first { !LocalFlags(of: $0).isDirty && !$0.isPartial }
        return loaded.map { row in
            ArrivedEntity(
                key: key, properties: row.properties(of: sent.set), control: row.control,
                expansions: row.expansions(of: sent.set))
        }
    }

    /// Removes the other clean rows that have a key. Returns whether the row that was sent stays: one that is whole on
    /// the service makes way for another that was changed here.
    private func makeRoom(for key: String, _ sent: SentChange, isEdited: Bool) throws(Fault) -> Bool {
        let others = try rivals(key, sent)
        guard !others.isEmpty else {
            return true
        }
        let clean = others.filter { !LocalFlags(of: $0).isDirty }.compactMap(\.entryId)
        if !clean.isEmpty {
            try store.remove(ids: clean, from: sent.set.soup)
        }
        guard clean.count < others.count, !isEdited else {
            return true
        }
        try store.remove(ids: [sent.change.entryId], from: sent.set.soup)
        try Originals(store, soup: sent.set.soup).remove([sent.change.entryId])
        return false
    }

    /// Lets a full load that is under way count keys as met, and pages that were asked for before be asked for again.
    func noteSeen(_ keys: [String], _ set: MappedEntitySet) throws(Fault) {
        client.saved.note(keys, of: set.name)
        try SeenKeys(store).note(keys, of: set)
    }

    /// Makes a row clean that was changed back to what it was. One whose entity a full load has not met goes.
    func settle(_ row: JSONObject, _ set: MappedEntitySet) throws(Fault) {
        try Originals(store, soup: set.soup).remove([row.entryId ?? 0])
        guard !row.isUnmet else {
            return try store.remove(ids: [row.entryId ?? 0], from: set.soup)
        }
        let form = RowForm(set, version: client.map.version)
        _ = try rows(set).write(
            form.clean(
                row.properties(of: set), key: row.keyText, control: row.control.withoutUnanswered, over: row))
    }

    // MARK: - Deleted

    /// Removes a row whose entity is gone, with the clean rows that went with it on the service.
    private func deleted(_ sent: SentChange, _ row: JSONObject) throws(Fault) {
        let set = sent.set
        client.saved.note([sent.key], of: set.name)
        guard !sent.change.keepsRow else {
            return try ownEntityDeleted(sent, row)
        }
        guard LocalFlags(of: row).isDeleted else {
            _ = try createAgain(row, of: set)
            return
        }
        try Originals(store, soup: set.soup).remove([sent.change.entryId])
        try store.remove(ids: [sent.change.entryId], from: set.soup)
        try removeDependents(of: row.keyText, set)
    }

    /// Saves that a row's own entity is gone, while others that match the row are still to be deleted.
    private func ownEntityDeleted(_ sent: SentChange, _ row: JSONObject) throws(Fault) {
        guard ByteKey(sent.key) == ByteKey(row.keyText) else { return }
        guard LocalFlags(of: row).isDeleted else {
            _ = try createAgain(row, of: sent.set)
            return
        }
        // Taking back the deletion makes the row a new one.
        _ = try rows(sent.set).write(row.with(control: row.control.markedGone))
    }

    /// Makes a row one that is created: its deletion was taken back after the entity was deleted.
    func createAgain(_ row: JSONObject, of set: MappedEntitySet) throws(Fault) -> JSONObject {
        try Originals(store, soup: set.soup).remove([row.entryId ?? 0])
        let creation = CreatedAgain(store: store, map: client.map, uuids: client.options.uuids, set: set)
        return try rows(set).write(try creation.row(row, row.properties(of: set), keepsKey: false))
    }

    /// Removes the clean rows that the service has deleted with an entity, and theirs. Changed ones become conflicts.
    private func removeDependents(of key: String, _ set: MappedEntitySet) throws(Fault) {
        var open = [(key: key, set: set)]
        while let principal = open.popLast() {
            for reference in client.map.references(toPrincipal: principal.set.name) where reference.cascades {
                guard let dependent = client.map.find(reference.dependent) else { continue }
                for row in try dependents(of: principal.key, principal.set, by: reference, in: dependent) {
                    if LocalFlags(of: row).isDirty {
                        try keepConflict(row, dependent)
                    } else {
                        try store.remove(ids: [row.entryId ?? 0], from: dependent.soup)
                        open.append((row.keyText, dependent))
                    }
                }
            }
        }
    }

    /// The rows that refer to an entity by a foreign key; empty if the key has no index or the app has removed the
    /// soup.
    private func dependents(
        of key: String, _ set: MappedEntitySet, by reference: EntityReference, in dependent: MappedEntitySet
    ) throws(Fault) -> [JSONObject] {
        guard let path = reference.foreignKey.first, let name = reference.principalKey.first,
            let value = KeyReplacement.part(name, of: key, set), try rows(dependent).canFind(by: path)
        else { return [] }
        return try dependent.rows(store, mayHave: value, at: path).filter { row in
            client.principalKey(of: row, reference).map { ByteKey($0) } == ByteKey(key)
        }
    }

    /// Keeps the conflict of a changed row whose entity the service has deleted with another one.
    private func keepConflict(_ row: JSONObject, _ set: MappedEntitySet) throws(Fault) {
        guard !LocalFlags(of: row).isCreated, !LocalFlags(of: row).isDeleted else { return }
        let changed = try changedRow(row, set)
        let kept = try client.settling(changed, .deletedThere, theirs: nil, control: JSONObject()).settle(.keep)
        if let kept {
            _ = try rows(set).write(kept)
        }
    }

    // MARK: - Not done

    /// Writes an error into a row as it is now, and forgets that its insert was under way.
    func refused(_ sent: SentChange, _ error: JSONObject) throws(Fault) {
        try Outbox(store).remove(soup: sent.set.soup, entryId: sent.change.entryId)
        try note(error, sent.change)
    }

    /// Writes an error into a row as it is now.
    func note(_ error: JSONObject, _ change: PlannedChange) throws(Fault) {
        guard var row = try rows(change.set).row(change.entryId) else { return }
        let text = JSONValue.string(JSONValue.object(error).text())
        guard row[ReservedField.lastError] != text else { return }
        row[ReservedField.lastError] = text
        _ = try rows(change.set).write(row)
    }

    /// Whether the row of a change is in the soup from which it was sent, and not in another one of its name.
    func isPresent(_ sent: SentChange) throws(Fault) -> Bool {
        guard let soupId = sent.soupId else { return true }
        return try store.soupId(sent.set.soup) == soupId
    }

    /// Forgets that an insert was under way: it was not done.
    func notDone(_ sent: SentChange) throws(Fault) {
        try Outbox(store).remove(soup: sent.set.soup, entryId: sent.change.entryId)
    }

    /// Notes in a row what a request has sent whose answer was lost: a change back is a change then. Rows that are
    /// paired with entities are compared with them before each push.
    func noteUnanswered(_ sent: SentChange) throws(Fault) {
        guard sent.change.partner == nil, !LocalId.isLocal(sent.image.keyText),
            let row = try rows(sent.set).row(sent.change.entryId), LocalFlags(of: row).isDirty
        else { return }
        client.saved.note([sent.key], of: sent.set.name)
        let noted = row.addingUnanswered(sent.sent.names.filter { !$0.isBinding })
        guard noted[RowMember.control] != row[RowMember.control] else { return }
        _ = try rows(sent.set).write(noted)
    }

    // MARK: - Rows

    func rows(_ set: MappedEntitySet) -> SoupRows { SoupRows(store, soup: set.soup) }

    func changedRow(_ row: JSONObject, _ set: MappedEntitySet) throws(Fault) -> ChangedRow {
        let base =
            LocalFlags(of: row).isCreated ? nil : try Originals(store, soup: set.soup).original(of: row.entryId ?? 0)
        return client.changedRow(row, base: base, of: set)
    }
}
