import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Updates of a batch that the service has done, saved together, so that each row does not take calls of its own.
///
/// Takes only what concerns no other row than its own. Inside a transaction of the caller.
struct DoneUpdates {
    private let saving: PushSaving
    private var sets: [Updates] = []

    private struct Updates {
        let set: MappedEntitySet
        var entryIds: [Int64] = []
        var keys: [String] = []
        var rows: [[UInt8]] = []
    }

    init(_ saving: PushSaving) { self.saving = saving }

    /// Takes an update whose row is as it was sent. Returns whether it has; nothing is written yet.
    mutating func take(_ sent: SentChange, _ verdict: Verdict, _ rows: ChangedRowPage) throws(Fault) -> Bool {
        guard case .done(let entity, key: nil, let etag) = verdict, sent.change.operation == .update,
            sent.change.partner == nil, sent.change.leftOut.isEmpty, try saving.isPresent(sent),
            let row = try rows.row(sent.change.entryId, of: sent.set), row.hasSameContent(as: sent.image)
        else { return false }
        let set = sent.set
        let index = sets.firstIndex { $0.set.name == set.name } ?? sets.endIndex
        if index == sets.endIndex {
            sets.append(Updates(set: set))
        }
        guard !sets[index].entryIds.contains(sent.change.entryId) else { return false }
        let key = sent.image.keyText
        let theirs = saving.version(sent, entity, key: key, etag: etag, isWhole: false)
        let clean = saving.clean(theirs, key: key, of: set, over: row)
        sets[index].entryIds.append(sent.change.entryId)
        sets[index].keys.append(key)
        sets[index].rows.append(JSONValue.object(clean).bytes())
        return true
    }

    /// Saves what was taken.
    mutating func save() throws(Fault) {
        for updates in sets where !updates.entryIds.isEmpty {
            let soup = updates.set.soup
            try Outbox(saving.client.store).remove(soup: soup, entryIds: updates.entryIds)
            try Originals(saving.client.store, soup: soup).remove(updates.entryIds)
            try saving.client.store.upsertIds(updates.rows, into: soup)
            try saving.noteSeen(updates.keys, updates.set)
        }
        sets = []
    }
}
