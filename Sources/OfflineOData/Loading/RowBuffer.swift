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
    /// The keys of the rows that were put since the last flush. The store may have them with other values, or not at
    /// all.
    private var putKeys: [String] = []
    /// These keys by what their rows have at a path, for each path that was asked for.
    private var putIndexes: [ByteKey: PutIndex] = [:]
    /// The ids of stored rows that were given up.
    private var givenUp: [Int64] = []
    private let replacement = RowReplacement()

    private struct PutIndex {
        /// The keys by the values that their rows have had.
        var keys: [SQLValue: [String]] = [:]
        /// The number of put keys that are in the index.
        var count = 0
    }

    private struct Slot {
        /// The row as the store has it; `nil` for a row that the page adds.
        var stored: JSONObject?
        /// The row as it will be; nil if it will be removed.
        var row: JSONObject?
        var isChanged = false
        /// The text of the row in the store, which is not read yet.
        var text: [UInt8]?
        /// The text of a row that will be written, which is not read yet.
        var arrived: [UInt8]?
    }

    /// Reads the text of a slot, when its row is first asked for.
    private func read(_ key: ByteKey) throws(Fault) {
        guard let slot = slots[key] else { return }
        let stored = try slot.text.map { (text) throws(Fault) in try SoupRows.object(of: text) }
        if let arrived = slot.arrived {
            slots[key] = Slot(stored: stored, row: try SoupRows.object(of: arrived), isChanged: true)
        } else if let stored {
            slots[key] = Slot(stored: stored, row: stored)
        }
    }

    init(_ set: MappedEntitySet, _ store: SmartStore) {
        self.set = set
        self.store = store
    }

    /// Reads the rows of keys that are not known yet.
    func prepare(_ keys: [String]) throws(Fault) {
        var missing: [String] = []
        slots.reserveCapacity(slots.count + keys.count)
        for key in keys where slots[ByteKey(key)] == nil {
            slots[ByteKey(key)] = Slot()
            missing.append(key)
        }
        guard !missing.isEmpty else { return }
        let found = try store.lookUp(
            missing.map(SQLValue.text), path: RowMember.key, in: set.soup, selecting: ["_soup", RowMember.key])
        for cells in found {
            guard cells.count == 2, case .entry(let text) = cells[0], case .value(.text(let bytes)) = cells[1] else {
                continue
            }
            let key = ByteKey(String(decoding: bytes, as: UTF8.self))
            guard slots[key]?.stored == nil, slots[key]?.text == nil else {
                throw Fault(
                    .externalIdNotUnique, "more than one row has the key of an entity",
                    context: [.soup(set.soup), .path(RowMember.key)])
            }
            slots[key] = Slot(text: text)
        }
    }

    /// Takes the row of an entity if nothing but its text matters: the store has no row with its key, one that is
    /// written alike, which stays, or one that it replaces as a whole.
    ///
    /// - Parameter isWhole: Whether the entity has all of its properties. The row of another one is only taken over
    ///   one that has the same.
    /// - Returns: Whether it was taken.
    func take(_ row: ArrivedRow, isWhole: Bool) throws(Fault) -> Bool {
        let key = ByteKey(row.key)
        if slots[key] == nil {
            try prepare([row.key])
        }
        guard let slot = slots[key] else { return false }
        guard slot.stored == nil, !slot.isChanged else {
            return false
        }
        guard let stored = slot.text else {
            guard isWhole else { return false }
            slots[key] = Slot(isChanged: true, arrived: row.text)
            order.append(key)
            return true
        }
        if Self.isWritten(stored, like: row.text) {
            return true
        }
        guard let id = replacement.id(of: stored, replacedBy: row.text) else {
            return false
        }
        slots[key] = Slot(isChanged: true, text: stored, arrived: row.text(withId: id))
        order.append(key)
        return true
    }

    /// Whether the row with a key is in the store and is written like another one, apart from the fields of the store.
    /// Then nothing has to be done for it. False where only the whole row would show it.
    func holds(_ row: @autoclosure () -> JSONObject, _ key: String) throws(Fault) -> Bool {
        try prepare([key])
        guard let slot = slots[ByteKey(key)], slot.arrived == nil, let stored = slot.text else {
            return false
        }
        return Self.isWritten(stored, like: JSONValue.object(row()).bytes())
    }

    /// Whether a stored text is another one with the fields of the store at its end.
    private static func isWritten(_ stored: [UInt8], like text: [UInt8]) -> Bool {
        let length = text.count - 1
        guard stored.count > length + storeFields.count else { return false }
        return stored.withUnsafeBufferPointer { stored in
            hasBytes(of: text, length, stored, at: 0)
                && hasBytes(of: storeFields, storeFields.count, stored, at: length)
        }
    }

    private static func hasBytes(
        of text: [UInt8], _ count: Int, _ stored: UnsafeBufferPointer<UInt8>, at position: Int
    ) -> Bool {
        text.withUnsafeBufferPointer { text in
            guard let a = text.baseAddress, let b = stored.baseAddress else { return count == 0 }
            return SameBytes.compare(a, b + position, count)
        }
    }

    /// What follows the members of a row in the store.
    private static let storeFields = Array(#","_soupEntryId":"#.utf8)

    /// The row with a key as it is now; `nil` if the soup has no such row.
    func row(_ key: String) throws(Fault) -> JSONObject? {
        try prepare([key])
        try read(ByteKey(key))
        return slots[ByteKey(key)]?.row
    }

    /// Puts a row in place of the one with its key.
    func put(_ row: JSONObject, _ key: String) throws(Fault) {
        try prepare([key])
        try read(ByteKey(key))
        var row = row
        if let id = slots[ByteKey(key)]?.stored?["_soupEntryId"] {
            row["_soupEntryId"] = id
        }
        change(key, to: row)
        putKeys.append(key)
    }

    /// The keys of the rows that were put since the last flush and may have a value at a path. Each of them is looked
    /// at once for a path, however often it is asked for.
    func putKeys(where path: String, is value: SQLValue) throws(Fault) -> [String] {
        let name = ByteKey(path)
        for key in putKeys.dropFirst(putIndexes[name]?.count ?? 0) {
            guard let found = try row(key)?.value(at: path) else { continue }
            let value = set.indexed(found, at: path)
            putIndexes[name, default: PutIndex()].keys[value, default: []].append(key)
        }
        putIndexes[name, default: PutIndex()].count = putKeys.count
        return putIndexes[name]?.keys[value] ?? []
    }

    /// Removes the row with a key.
    func remove(_ key: String) throws(Fault) {
        try prepare([key])
        try read(ByteKey(key))
        change(key, to: nil)
    }

    /// Removes the stored row with a key, which is that of another entity. What is put next under the key is a new row,
    /// so that whoever knows the id of the former one does not change the new one.
    func giveUp(_ key: String) throws(Fault) {
        guard let id = try row(key)?.entryId else { return }
        givenUp.append(id)
        order.removeAll { $0 == ByteKey(key) }
        slots[ByteKey(key)] = Slot()
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
        var removed = givenUp
        for key in order {
            guard let slot = slots[key] else { continue }
            if let arrived = slot.arrived {
                written.append(arrived)
                continue
            }
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
        slots.removeAll(keepingCapacity: true)
        order = []
        putKeys = []
        putIndexes = [:]
        givenUp = []
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
                // Offsets count in the row that was written, which no caller has seen.
                throw Fault(error.code, error.message, context: error.context)
            }
        }
        return (written.count, removed.count)
    }
}
