import JSONText
import LocalChanges
import OData
import OfflineStore
import Soups

/// Applies entities and links of pages to rows. Every call is inside a transaction of the page.
final class PageWriter {
    let client: ODataClient
    let set: MappedEntitySet
    let query: LoadQuery
    let state: LoadState
    /// The newest link that waited for its entity when the run began.
    let newestLink: Int64
    /// The rows that wait for their entities to get the present keys.
    var formerKeys: FormerKeys?
    var summary = LoadSummary()
    /// The keys of the entities of the set, also of those that came expanded in others, for a full load.
    private(set) var keys: [String] = []
    /// The keys of the entities of other sets, by set.
    private var otherKeys: [ByteKey: Set<ByteKey>] = [:]
    /// The keys of other sets that a full load has listed, by set. Their rows stay when one that they refer to goes.
    var listed: [ByteKey: IdSet] = [:]
    /// The foreign keys by which expanded entities of the page belong to the one that they came in, by set and key.
    private var expandedBy: [ByteKey: [ByteKey: [ByteKey]]] = [:]
    /// The entities that others have saved since the page was asked for, by the names of `SavedKeys`.
    var overtaken: Set<ByteKey> = []
    /// Whether the page has one of them.
    private(set) var hasOvertaken = false
    /// The entities of the page, by the same names, where another load is under way.
    private(set) var met: Set<ByteKey> = []
    private let notesMet: Bool
    private(set) var conflicts: [(set: String, entryId: Int64)] = []
    /// The rows of entities that an expansion of the page has not listed any more, by the same names. They may come
    /// with another entity.
    private var unlisted: [ByteKey: JSONObject] = [:]
    /// What only rows have that loads of the set have removed with others; nil before the first look.
    var left: LeftMembers?
    private var buffers: [ByteKey: RowBuffer] = [:]
    private var loaded: [ByteKey: Bool] = [:]
    private var statedTypes: [(name: String, type: String)] = []
    private(set) lazy var pendingLinks = PendingLinks(client.store)

    var store: SmartStore { client.store }
    var map: EntitySetMap { client.map }

    init(_ client: ODataClient, _ set: MappedEntitySet, _ query: LoadQuery, _ state: LoadState, newestLink: Int64 = 0) {
        self.client = client
        self.set = set
        self.query = query
        self.state = state
        self.newestLink = newestLink
        notesMet = client.saved.hasOtherLoad(than: set.name)
    }

    func buffer(_ set: MappedEntitySet) -> RowBuffer {
        if let buffer = buffers[ByteKey(set.name)] {
            return buffer
        }
        let buffer = RowBuffer(set, store)
        buffers[ByteKey(set.name)] = buffer
        return buffer
    }

    /// Whether a delta has the changed properties of an entity alone. In Atom, and up to version 3, it has all of them.
    private var isMergedDelta: Bool { map.version.isV4 && client.options.format != .atom }

    func form(_ set: MappedEntitySet) -> RowForm { RowForm(set, version: map.version) }

    /// Whether an entity of the set may lack properties that have not changed.
    private var mayLackUnchanged: Bool { state.isDelta && isMergedDelta }
    /// How many rows of entities were taken as texts, and how many were not.
    private var (taken, refused) = (0, 0)

    /// Whether the rows of entities are written as texts. Not where the query leaves properties out, nor
    /// in a delta whose entities mostly have some of their properties.
    var takesRows: Bool { formerKeys == nil && !query.isPartial && (!mayLackUnchanged || refused <= taken + 8) }

    /// What only rows of a set have that loads have removed with others; nil if its rows have no such members.
    private func left(of set: MappedEntitySet) throws(Fault) -> LeftMembers? {
        guard !set.settings.localOnly.isEmpty else { return nil }
        if left == nil {
            left = try LeftMembers(store, set: self.set.name)
        }
        return left
    }

    /// Applies entities of the set in their order.
    func apply(_ arrived: [Arrived]) throws(Fault) {
        try renewFormerKeys(arrived)
        let buffer = buffer(set)
        try buffer.prepare(arrived.map(\.key))
        for arrived in arrived {
            switch arrived {
            case .entity(let entity): try apply(entity)
            case .row(let row): try apply(row, in: buffer)
            }
        }
    }

    /// Gives the rows that have kept their former keys those of the entities that are theirs.
    private func renewFormerKeys(_ arrived: [Arrived]) throws(Fault) {
        guard let formerKeys else { return }
        for arrived in arrived {
            guard let former = formerKeys.text(for: try arrived.entity()) else { continue }
            try flush()
            try formerKeys.give(arrived.key, toRowOf: former)
        }
    }

    /// Applies an entity of the set that came as a row.
    ///
    /// - Parameter buffer: The buffer of the set, which need not be looked up for each of many rows.
    private func apply(_ row: ArrivedRow, in buffer: RowBuffer) throws(Fault) {
        guard try !pendingLinks.mayHaveAny(), try left(of: set)?.isEmpty ?? true,
            try buffer.take(row, isWhole: !mayLackUnchanged)
        else {
            refused += 1
            return try apply(row.entity())
        }
        taken += 1
        meet(row.key, of: set)
        summary.entities += 1
        summary.skipped += row.dropped
        if !state.isDelta {
            keys.append(row.key)
        }
    }

    /// Notes an entity of the page, and whether the page was overtaken at it.
    func meet(_ key: String, of set: MappedEntitySet) {
        guard notesMet || !overtaken.isEmpty else { return }
        let name = SavedKeys.name(key, set.name)
        if notesMet {
            met.insert(name)
        }
        if overtaken.contains(name) {
            hasOvertaken = true
        }
    }

    /// Applies one entity of the set.
    func apply(_ entity: ArrivedEntity, of other: MappedEntitySet? = nil) throws(Fault) {
        let set = other ?? set
        if let deletion = entity.deletion {
            let isThere = deletion == "changed"
            return try remove(entity.key, of: set, isThere: isThere, mayReturn: isThere)
        }
        summary.entities += 1
        summary.skipped += entity.dropped
        let isPartial = query.isPartial || mayLackUnchanged
        try save(entity, of: set, isPartial: isPartial, other == nil ? query.expansions : LoadExpansions())
        statedTypes += set.model == nil ? entity.statedTypes : []
    }

    /// Saves an entity and the related ones that came with it.
    private func save(
        _ given: ArrivedEntity, of set: MappedEntitySet, isPartial: Bool, _ expansions: LoadExpansions
    ) throws(Fault) {
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
        let buffer = buffer(set)
        if !isPartial, try buffer.holds(form(set).row(of: entity, over: nil), entity.key) {
            // A row like this one is clean.
            for related in given.related where related.isDependent {
                try saveDependents(related, of: entity, expansions[related.reference.inverse ?? ""])
            }
            return try pendingLinks.apply(to: set, entity, self)
        }
        let row = try buffer.row(entity.key) ?? unlisted[SavedKeys.name(entity.key, set.name)]
        if let row, LocalFlags(of: row).isDirty, state.mergeMode == .leave {
            try meet(entity, row, of: set, isPartial: isPartial)
        } else {
            let isDirty = row.map { LocalFlags(of: $0).isDirty } ?? false
            let own = isOfAnother(row, than: entity, set) ? nil : row
            let clean = isDirty ? try row.map { (row) throws(Fault) in try undone(row, of: set) } : own
            let form = form(set)
            var new =
                isPartial
                ? form.merged(entity, into: clean, mayLackChanges: mayLackChanges)
                : form.row(of: entity, over: own)
            if row == nil, let left = try left(of: set)?[entity.key, set] {
                new = new.settingLocal(left)
            }
            try buffer.put(new, entity.key)
        }
        for related in given.related where related.isDependent {
            try saveDependents(related, of: entity, expansions[related.reference.inverse ?? ""])
        }
        try pendingLinks.apply(to: set, entity, self)
    }

    /// Whether the row that an entity meets is the clean one of another entity, under a key of the former form. Nothing
    /// of it belongs to the entity.
    private func isOfAnother(_ row: JSONObject?, than entity: ArrivedEntity, _ set: MappedEntitySet) -> Bool {
        guard state.mode == .reload, ByteKey(set.name) == ByteKey(self.set.name), let row,
            !LocalFlags(of: row).isDirty
        else { return false }
        let key = try? StoredKey.text(of: row.properties(of: set), set, version: map.version)
        return key.map { ByteKey($0) } != ByteKey(entity.key)
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

    /// Lets full loads of other sets that are under way count what came expanded as met. The end of this one removes
    /// none of it.
    func noteOtherKeys() throws(Fault) {
        for (name, keys) in otherKeys {
            let seen = SeenKeys(store)
            let texts = keys.map(\.text)
            try seen.note(texts, set: name.text)
            if !state.isDelta, let other = map.find(name.text), try !isLoaded(other) {
                try seen.add(
                    texts, of: other.name, set: set.name, generation: state.generation, page: state.pages)
            }
        }
        otherKeys = [:]
    }

    // MARK: - Related entities

    /// Saves the entity that a navigation property leads to, and fills in the foreign key.
    private func savePrincipal(
        _ related: ArrivedEntity.Related, of entity: inout ArrivedEntity, _ expansion: LoadExpansion?
    ) throws(Fault) {
        for principal in related.entities {
            try save(
                principal, of: related.set, isPartial: isPartial(principal, of: related.set, expansion),
                expansion?.below ?? LoadExpansions())
            entity.properties = Self.filling(
                entity.properties, related.reference, principal: principal.key, related.set)
        }
    }

    private func saveDependents(
        _ related: ArrivedEntity.Related, of entity: ArrivedEntity, _ expansion: LoadExpansion?
    ) throws(Fault) {
        try buffer(related.set).prepare(related.entities.map(\.key))
        for given in related.entities {
            guard !given.isDeleted else {
                try detach(given, related.reference, related.set, principal: entity.key)
                continue
            }
            var dependent = given
            dependent.properties = Self.filling(
                given.properties, related.reference, principal: entity.key, owner(of: related.reference))
            try save(
                dependent, of: related.set, isPartial: isPartial(dependent, of: related.set, expansion),
                expansion?.below ?? LoadExpansions())
            expandedBy[ByteKey(related.set.name), default: [:]][ByteKey(dependent.key)] =
                related.reference.foreignKey.map { ByteKey($0) }
        }
        guard expansion?.isWhole == true, !related.isDelta else { return }
        let listed = Set(related.entities.map { ByteKey($0.key) })
        for row in try dependents(of: entity.key, related.reference) where !listed.contains(ByteKey(row.keyText)) {
            unlisted[SavedKeys.name(row.keyText, related.set.name)] = row
            try remove(row.keyText, of: related.set, mayReturn: true)
        }
    }

    /// Whether an expanded entity came with some of its properties, so that it is merged into its row. Without a model
    /// only the query can tell.
    private func isPartial(
        _ entity: ArrivedEntity, of set: MappedEntitySet, _ expansion: LoadExpansion?
    ) -> Bool {
        expansion?.isPartial == true || mayLackUnchanged
            || set.model != nil && form(set).lacksProperties(entity)
    }

    private func owner(of reference: EntityReference) -> MappedEntitySet { map.find(reference.principal) ?? set }

    /// The entity that a nested delta removes from a relation: gone, or only the relation.
    private func detach(
        _ entity: ArrivedEntity, _ reference: EntityReference, _ set: MappedEntitySet, principal: String
    ) throws(Fault) {
        guard entity.deletion == "changed" else {
            return try remove(entity.key, of: set)
        }
        try LinkApplication(writer: self).unlink(
            reference, dependent: entity.key, principal: principal)
    }

    /// Fills the foreign key of a dependent entity where the payload lacks it.
    private static func filling(
        _ properties: JSONObject, _ reference: EntityReference, principal: String, _ set: MappedEntitySet
    ) -> JSONObject {
        var result = properties
        for (path, name) in zip(reference.foreignKey, reference.principalKey)
        where result.value(at: path) == nil {
            if let value = KeyReplacement.part(name, of: principal, set) {
                result = result.setting(value, at: path)
            }
        }
        return result
    }

    /// The clean rows that refer to an entity, after what the page has changed so far.
    ///
    /// - Parameter withArrived: Whether rows that the page has brought count too. The store does not find them by what
    ///   they have now.
    func dependents(
        of key: String, _ reference: EntityReference, withArrived: Bool = false
    ) throws(Fault) -> [JSONObject] {
        guard let dependent = map.find(reference.dependent), let path = reference.foreignKey.first,
            try SoupRows(store, soup: dependent.soup).canFind(by: path)
        else { return [] }
        let owner = owner(of: reference)
        let parts = zip(reference.foreignKey, reference.principalKey).map { path, name in
            (path, KeyReplacement.part(name, of: key, owner))
        }
        guard let first = parts.first?.1 else { return [] }
        let stored = try dependent.rows(store, mayHave: first, at: path)
        var keys = stored.filter { !LocalFlags(of: $0).isDirty }.map(\.keyText)
        let buffer = buffer(dependent)
        if withArrived {
            var known = Set(keys.map { ByteKey($0) })
            keys += try buffer.putKeys(where: path, is: dependent.indexed(first, at: path)).filter {
                known.insert(ByteKey($0)).inserted
            }
        }
        try buffer.prepare(keys)
        var found: [JSONObject] = []
        for key in keys {
            if let row = try buffer.row(key), !LocalFlags(of: row).isDirty, reference.isOwned(by: row),
                parts.allSatisfy({ dependent.areSame(row.value(at: $0.0), $0.1, at: $0.0) })
            {
                found.append(row)
            }
        }
        return found
    }

    // MARK: - Removals

    /// Removes an entity that the service no longer has. A row that was changed here becomes a conflict.
    ///
    /// - Parameters:
    ///   - isThere: Whether the entity has only left what is loaded: a local deletion of it is still to be sent.
    ///   - mayReturn: Whether the entity may come again, on a later page.
    func remove(
        _ key: String, of set: MappedEntitySet, depth: Int = 0, isThere: Bool = false, mayReturn: Bool = false
    ) throws(Fault) {
        meet(key, of: set)
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

    private func isLoaded(_ set: MappedEntitySet) throws(Fault) -> Bool {
        if let known = loaded[ByteKey(set.name)] {
            return known
        }
        let isLoaded = try LoadStates(store).state(of: set.name) != nil
        loaded[ByteKey(set.name)] = isLoaded
        return isLoaded
    }

    /// Writes what has changed so far.
    func flush() throws(Fault) {
        for name in buffers.keys.sorted(by: { EntitySetMap.isBefore($0.text, $1.text) }) {
            let count = try buffers[name]?.flush() ?? (written: 0, removed: 0)
            summary.changed += count.written
            summary.deleted += count.removed
        }
        if !statedTypes.isEmpty {
            try client.registry.keep(types: statedTypes, of: set)
            statedTypes = []
        }
    }
}
