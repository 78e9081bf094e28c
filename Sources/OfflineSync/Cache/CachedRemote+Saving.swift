import JSONText
import LocalChanges
import OfflineStore
import Soups

// What is written to the cache and the originals. Every call is inside a transaction of the store.
extension CachedRemote {
    /// Stores what the service answered, unless the cached record has local changes. Returns what the caller sees.
    func saveAnswer(_ answer: JSONObject, id: String, inCache: Bool) throws(Fault) -> JSONObject {
        let stored = try cache.row(id)
        if let stored, LocalFlags(of: stored).isDirty {
            return answer
        }
        try saveOriginal(answer, id: id)
        guard inCache else {
            return answer
        }
        return try put((stored ?? JSONObject()).merging(answer), id: id, LocalFlags(), at: stored?.entryId)
    }

    /// Stores what the service has taken. An edit that was made in the meantime stays, to be sent.
    func saveSent(
        _ sent: Merged, id: String, image: JSONObject?, inCache: Bool
    ) throws(Fault) -> JSONObject {
        let stored = try cache.row(id)
        let isDirty = stored.map { LocalFlags(of: $0).isDirty } ?? false
        guard inCache else {
            if !isDirty {
                try saveOriginal(sent.record, id: id, removing: sent.removed)
            }
            return sent.record
        }
        try saveOriginal(sent.record, id: id, removing: sent.removed)
        if isDirty, let stored, stored != image {
            return stored
        }
        let clean = (stored ?? JSONObject()).merging(sent.record).removing { Self.contains($0, sent.removed) }
        return try put(clean, id: id, LocalFlags(), at: stored?.entryId)
    }

    /// Moves a record from its local id to that of the service.
    func moveCreated(
        from local: String, to id: String, sent: JSONObject, image: JSONObject?
    ) throws(Fault) -> JSONObject {
        try originals?.remove(local)
        try saveOriginal(sent, id: id)
        guard let stored = try cache.row(local) ?? (image == nil ? JSONObject() : nil) else {
            // The app has removed it in the meantime.
            var record = sent
            record[cache.keyField] = .string(id)
            return record
        }
        var flags = LocalFlags()
        var moved = stored.merging(sent)
        if let image, stored != image {
            moved = stored
            flags.isDeleted = LocalFlags(of: stored).isDeleted
            flags.isUpdated = !flags.isDeleted
        }
        if let other = try cache.row(id), let otherId = other.entryId {
            // A sync has brought the new record already.
            if LocalFlags(of: other).isDirty {
                moved = flags.isDirty ? other.merging(moved) : other
                flags = flags.isDirty ? flags : LocalFlags(of: other)
            }
            try cache.store.remove(ids: [otherId], from: cache.soup)
        }
        return try put(moved, id: id, flags, at: stored.entryId)
    }

    /// Removes a record that the service has deleted. One that was edited in the meantime is a new record from now on.
    func removeDeleted(_ id: String, image: JSONObject?, fromCache: Bool) throws(Fault) {
        try originals?.remove(id)
        guard fromCache, let stored = try cache.row(id), let entryId = stored.entryId else { return }
        let flags = LocalFlags(of: stored)
        guard stored != image, flags.isDirty, !flags.isDeleted else {
            return try cache.store.remove(ids: [entryId], from: cache.soup)
        }
        var created = LocalFlags()
        created.isCreated = true
        _ = try put(stored, id: LocalId.next(from: uuids), created, at: entryId)
    }

    /// Marks a record of the cache as updated; one that is not there is stored.
    func markUpdated(_ id: String, _ given: JSONObject) throws(Fault) -> JSONObject {
        let stored = try cache.row(id)
        var flags = stored.map { LocalFlags(of: $0) } ?? LocalFlags()
        flags.isUpdated = true
        return try put((stored ?? JSONObject()).merging(given), id: id, flags, at: stored?.entryId)
    }

    /// Marks a record of the cache as deleted, or removes it if only the cache has it.
    func markDeleted(_ id: String) throws(Fault) -> JSONObject? {
        let stored = try cache.row(id)
        guard !LocalId.isLocal(id) else {
            try cache.remove(id)
            try originals?.remove(id)
            return nil
        }
        var flags = stored.map { LocalFlags(of: $0) } ?? LocalFlags()
        flags.isDeleted = true
        return try put(stored ?? JSONObject(), id: id, flags, at: stored?.entryId)
    }

    /// Stores a record under a key, with these flags and without a former error where it is clean.
    func put(_ record: JSONObject, id: String, _ flags: LocalFlags, at entryId: Int64?) throws(Fault) -> JSONObject {
        var row = record
        if (row[cache.keyField]?.number?.text).map({ ByteKey($0) }) != ByteKey(id) {
            row[cache.keyField] = .string(id)
        }
        if !flags.isDirty {
            row[ReservedField.lastError] = nil
        }
        flags.write(to: &row)
        return try cache.put(row, at: entryId)
    }

    private func saveOriginal(_ record: JSONObject, id: String, removing removed: [String] = []) throws(Fault) {
        guard let originals else { return }
        let stored = try originals.row(id)
        var original = (stored ?? JSONObject()).merging(record).removing { Self.contains($0, removed) }
        if original[originals.keyField]?.number == nil {
            original[originals.keyField] = .string(id)
        }
        LocalFlags().write(to: &original)
        _ = try originals.put(original, at: stored?.entryId)
    }

    private static func contains(_ name: String, _ names: [String]) -> Bool {
        names.contains { ByteKey($0) == ByteKey(name) }
    }
}
