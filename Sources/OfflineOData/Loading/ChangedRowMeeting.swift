import JSONText
import LocalChanges
import OfflineStore
import Soups

/// An entity that arrives where the row was changed here.
struct ChangedRowMeeting {
    /// What became of the row.
    struct Outcome {
        /// The row as it is to be; nil if it is to be removed.
        let row: JSONObject?
        /// Whether the local changes stay.
        let isLeft: Bool
        /// Whether both versions are kept.
        let isConflict: Bool
    }

    private let client: ODataClient
    private let set: MappedEntitySet
    private let changed: ChangedRow
    private let entity: ArrivedEntity
    private let isPartial: Bool
    /// Whether properties that did not come may have changed.
    private let mayLackChanges: Bool

    init(
        _ client: ODataClient, _ set: MappedEntitySet, _ row: JSONObject, _ entity: ArrivedEntity, isPartial: Bool,
        mayLackChanges: Bool = false
    ) throws(Fault) {
        self.client = client
        self.set = set
        self.entity = entity
        self.isPartial = isPartial
        self.mayLackChanges = mayLackChanges
        let flags = LocalFlags(of: row)
        let base =
            flags.isCreated ? nil : try Originals(client.store, soup: set.soup).original(of: row.entryId ?? 0)
        changed = client.changedRow(row, base: base, of: set)
    }

    /// Whether the service has the version that the local changes started from.
    private var isBase: Bool {
        guard let base = changed.base else { return false }
        let properties = base.properties(of: set)
        let arrived = Set(entity.properties.names.map { ByteKey($0) })
        let names = properties.names.filter { !isPartial || arrived.contains(ByteKey($0)) }
        return changed.form.areSame(properties, entity.properties, at: names)
            && (isBaseByETag || !changed.isSetThereToo(in: entity.properties))
    }

    /// Whether the ETags say that the service has the version which the changes started from.
    private var isBaseByETag: Bool {
        guard let etag = entity.etag else { return false }
        return changed.base?.etag == etag
    }

    /// The properties of the entity on the service.
    private var theirs: JSONObject {
        guard isPartial else { return entity.properties }
        let known = KeptConflict(of: changed.row)?.theirs ?? changed.baseProperties
        return known.merging(entity.properties)
    }

    private var control: JSONObject {
        guard isPartial else { return entity.control }
        var arrived = entity.control
        if mayHideChanges {
            arrived["etag"] = nil
        }
        return (changed.base?.control ?? JSONObject()).addingControl(arrived)
    }

    /// Whether the version of the ETag that came may have other values of properties that did not come. A push compares
    /// with the version of the row's ETag, so it keeps the former one.
    private var mayHideChanges: Bool {
        isPartial && mayLackChanges && changed.base?.etag != nil && !entity.hasAll(of: changed.baseProperties)
    }

    /// Decides by the rule of the set; nothing is sent.
    func settle() throws(Fault) -> Outcome {
        if isBase, KeptConflict(of: changed.row) == nil {
            return Outcome(row: try takingETag(), isLeft: true, isConflict: false)
        }
        let kind: Conflict.Kind = changed.flags.isCreated ? .existsThere : .changedThere
        let settling = client.settling(
            changed, kind, theirs: theirs, control: control, expansions: entity.expansions)
        let theirs = theirs
        // What the service has of a property that neither was loaded nor came is not known.
        let isUnknown =
            isPartial && changed.base != nil
            && changed.sentNames.contains { theirs[$0] == nil && changed.mine[$0]?.isNull == true }
        let isThere =
            !changed.flags.isDeleted && !isUnknown
            && changed.isThere(changed.mine, at: changed.sentNames, in: theirs)
        if isThere {
            return Outcome(row: try settling.settle(.theirs), isLeft: false, isConflict: false)
        }
        // A conflict that is known keeps waiting for a decision, about the newest version.
        let outcome =
            KeptConflict(of: changed.row) == nil
            ? client.decide(changed, kind, theirs: theirs, etag: entity.etag) : .keep
        let row = try settling.settle(outcome)
        switch outcome {
        case .keep: return Outcome(row: row, isLeft: true, isConflict: true)
        case .joined, .deleteAgain, .createAgain: return Outcome(row: row, isLeft: true, isConflict: false)
        case .theirs, .remove: return Outcome(row: row, isLeft: false, isConflict: false)
        }
    }

    /// The row, and the version that its changes started from, with the ETag that has come.
    private func takingETag() throws(Fault) -> JSONObject {
        // What a lost answer was about has not come to the service.
        let control = isPartial ? changed.row.control.withoutUnmet : changed.row.control.withoutUnanswered
        let row = changed.row.with(control: control)
        guard let etag = entity.etag, var base = changed.base, !mayHideChanges else { return row }
        if base.etag != etag {
            base = base.with(etag: etag)
            base["_soupEntryId"] = changed.row["_soupEntryId"]
            try Originals(client.store, soup: set.soup).keep(base, keyField: RowMember.key)
        }
        return row.with(etag: etag)
    }
}

extension ODataClient {
    /// What the rule of a set, or the client's own, makes of a conflict.
    func decide(
        _ changed: ChangedRow, _ kind: Conflict.Kind, theirs: JSONObject?, etag: String?, rule: ConflictRule? = nil
    ) -> ConflictDecision.Outcome {
        let decision = ConflictDecision(changed: changed, kind: kind, theirs: theirs)
        guard let resolve = options.resolve else {
            return decision.outcome(rule ?? changed.set.settings.conflict)
        }
        let kept = KeptConflict(
            kind, theirs: theirs, control: JSONObject(),
            changed: theirs.map { changed.form.differences(from: changed.baseProperties, to: $0) } ?? [],
            at: options.clock.now())
        return decision.outcome(resolve(conflict(of: changed, kept, etag: etag)))
    }

    func conflict(of changed: ChangedRow, _ kept: KeptConflict, etag: String?) -> Conflict {
        Conflict(
            entitySet: changed.set.name, entryId: changed.row.entryId ?? 0, key: changed.row.keyText, kind: kept.kind,
            base: changed.base?.properties(of: changed.set), mine: changed.mine, theirs: kept.theirs, etag: etag,
            changed: kept.changed, at: kept.at)
    }

    func settling(
        _ changed: ChangedRow, _ kind: Conflict.Kind, theirs: JSONObject?, control: JSONObject,
        expansions: JSONObject = JSONObject()
    ) -> ConflictSettling {
        ConflictSettling(
            store: store, map: map, clock: options.clock, uuids: options.uuids, changed: changed, kind: kind,
            theirs: theirs, control: control, expansions: expansions)
    }
}
