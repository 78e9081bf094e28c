import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Carries out a decision about a row with local changes. Every call is inside a transaction of the caller.
struct ConflictSettling {
    let store: SmartStore
    let map: EntitySetMap
    let clock: StoreClock
    let uuids: UUIDSource
    let changed: ChangedRow
    let kind: Conflict.Kind
    /// The properties of the entity on the service; nil if it is gone.
    let theirs: JSONObject?
    /// What the service says about its version.
    let control: JSONObject
    /// The expanded entities of its version; the row keeps others.
    let expansions: JSONObject

    private var set: MappedEntitySet { changed.set }
    private var entryId: Int64 { changed.row.entryId ?? 0 }

    /// The row as it is then, to be written by the caller; nil if it is to be removed.
    ///
    /// What is kept next to the row is written or removed here.
    func settle(_ outcome: ConflictDecision.Outcome) throws(Fault) -> JSONObject? {
        switch outcome {
        case .keep: return kept
        case .theirs:
            try forget()
            return changed.form.clean(
                theirs ?? JSONObject(), key: changed.row.keyText, control: control, over: changed.row,
                expansions: allExpansions)
        case .joined(let properties):
            try keepTheirs()
            var flags = LocalFlags()
            flags.isUpdated = true
            return row(properties, control: control, flags)
        case .deleteAgain:
            try keepTheirs()
            // The control information of another entity does not bring back the row's own one.
            return row(deleted, control: changed.row.isGone ? control.markedGone : control, changed.flags)
        case .createAgain(let properties) where set.isSingleton:
            // Nothing is posted to a single entity. An update with all properties creates it.
            try keepTheirs()
            var flags = LocalFlags()
            flags.isUpdated = true
            return row(properties, control: control, flags)
        case .createAgain(let properties): return try createdAgain(properties)
        case .remove:
            try forget()
            return nil
        }
    }

    /// The properties of a row that stays to be deleted, which come back if the deletion is taken back: the version of
    /// the service with what was changed here. That of a partner is another entity.
    private var deleted: JSONObject {
        guard let theirs, set.settings.mergesBy.isEmpty else { return changed.mine }
        return changed.mineOver(theirs)
    }

    private var allExpansions: JSONObject { changed.row.expansions(of: set).merging(expansions) }

    /// The row with both versions.
    private var kept: JSONObject {
        let names = theirs.map { changed.form.differences(from: changed.baseProperties, to: $0) } ?? []
        let conflict = KeptConflict(kind, theirs: theirs, control: control, changed: names, at: clock.now())
        var row = changed.row
        row[RowMember.conflict] = .object(conflict.json)
        return row
    }

    /// A row that stays to be sent, without error and conflict.
    private func row(_ properties: JSONObject, control: JSONObject, _ flags: LocalFlags) -> JSONObject {
        var row = changed.form.clean(
            properties, key: changed.row.keyText, control: control, over: changed.row, expansions: allExpansions)
        flags.write(to: &row)
        return row
    }

    /// The row as one that was created here: with its key where the client gives keys, else with a local id.
    private func createdAgain(_ given: JSONObject) throws(Fault) -> JSONObject {
        try forget()
        // The client has given the key of a row that was created here.
        let keepsKey = set.settings.makesKeys || !set.givesKeys && set.model != nil || changed.flags.isCreated
        return try CreatedAgain(store: store, map: map, uuids: uuids, set: set)
            .row(changed.row, given, keepsKey: keepsKey)
    }

    /// Makes the version of the service the one that the changes started from.
    private func keepTheirs() throws(Fault) {
        var base = changed.form.clean(
            theirs ?? JSONObject(), key: changed.row.keyText, control: control, over: changed.base ?? changed.row,
            expansions: allExpansions)
        base["_soupEntryId"] = .number(JSONNumber(entryId))
        try Originals(store, soup: set.soup).keep(base, keyField: RowMember.key)
        try Outbox(store).remove(soup: set.soup, entryId: entryId)
    }

    /// Forgets what is kept of the row's changes.
    private func forget() throws(Fault) {
        try Originals(store, soup: set.soup).remove([entryId])
        try Outbox(store).remove(soup: set.soup, entryId: entryId)
    }
}
