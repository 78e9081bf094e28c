import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Rows of one soup while entities are applied to them: read by key many at a time, and written together. Every call is
/// inside a transaction of the caller.
final class RowBuffer {
    let set: MappedEntitySet
    private let store: SmartStore
    private var slots: [ByteKey: Slot] = [:]
    /// The keys of changed rows, in the order in which they were first changed.
    private var order: [ByteKey] = []

    private struct Slot {
        /// The row as the store has it; nil if there is none.
        var stored: JSONObject?
        /// The row as it shall be; nil if it shall be removed.
        var row: JSONObject?
        var isChanged = false
    }

    init(_ set: MappedEntitySet, _ store: SmartStore) {
        self.set = set
        self.store = store
    }

    /// Reads the rows of keys that are not known yet.
    func prepare(_ keys: [String]) throws(Fault) {
        var wanted: Set<ByteKey> = []
        let missing = keys.filter { slots[ByteKey($0)] == nil && wanted.insert(ByteKey($0)).inserted }
        guard !missing.isEmpty else { return }
        for key in missing {
            slots[ByteKey(key)] = Slot()
        }
        let found = try store.lookUp(
            missing.map(SQLValue.text), path: RowMember.key, in: set.soup, selecting: ["_soup"])
        for cells in found {
            let row = try SoupRows.object(ofRow: cells)
            guard slots[ByteKey(row.keyText)]?.stored == nil else {
                throw Fault(
                    .externalIdNotUnique, "more than one row has the key of an entity",
                    context: [.soup(set.soup), .path(RowMember.key)])
            }
            slots[ByteKey(row.keyText)] = Slot(stored: row, row: row)
        }
    }

    /// The row with a key as it is now; nil if there is none.
    func row(_ key: String) throws(Fault) -> JSONObject? {
        if let slot = slots[ByteKey(key)] {
            return slot.row
        }
        try prepare([key])
        return slots[ByteKey(key)]?.row
    }

    /// Puts a row in place of the one with its key.
    func put(_ row: JSONObject, _ key: String) throws(Fault) {
        try prepare([key])
        var row = row
        if let id = slots[ByteKey(key)]?.stored?["_soupEntryId"] {
            row["_soupEntryId"] = id
        }
        change(key, to: row)
    }

    /// Removes the row with a key.
    func remove(_ key: String) throws(Fault) {
        try prepare([key])
        change(key, to: nil)
    }

    /// Writes a row that has got another key at once, and forgets the former key.
    func move(_ row: JSONObject, from key: String) throws(Fault) {
        slots[ByteKey(key)] = Slot()
        order.removeAll { $0 == ByteKey(key) }
        _ = try SoupRows(store, soup: set.soup).write(row)
    }

    private func change(_ key: String, to row: JSONObject?) {
        let key = ByteKey(key)
        if slots[key]?.isChanged == false {
            order.append(key)
        }
        slots[key]?.row = row
        slots[key]?.isChanged = true
    }

    /// Writes what has changed, and forgets all rows. A row that is as it was is not written.
    ///
    /// - Returns: The numbers of rows written and removed.
    func flush() throws(Fault) -> (written: Int, removed: Int) {
        var written: [[UInt8]] = []
        var removed: [Int64] = []
        for key in order {
            guard let slot = slots[key] else { continue }
            guard let row = slot.row else {
                if let id = slot.stored?.entryId {
                    removed.append(id)
                }
                continue
            }
            if let stored = slot.stored, stored.hasSameContent(as: row) {
                continue
            }
            written.append(JSONValue.object(row).bytes())
        }
        slots = [:]
        order = []
        if !removed.isEmpty {
            try store.remove(ids: removed, from: set.soup)
            let originals = Originals(store, soup: set.soup)
            if try originals.exists() {
                try originals.remove(removed)
            }
        }
        if !written.isEmpty {
            do throws(Fault) {
                try store.upsertIds(written, into: set.soup)
            } catch {
                // Offsets count in the row that was written, which nobody has seen.
                throw Fault(error.code, error.message, context: error.context)
            }
        }
        return (written.count, removed.count)
    }
}
