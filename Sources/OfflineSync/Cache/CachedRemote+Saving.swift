import JSONText
import LocalChanges
import OfflineStore
import Soups

extension CachedRemote {
    /// Runs a transaction about what the service has done, to its end: cancelling the task does not undo that.
    @discardableResult
    func saveOutcome<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
        try await cache.store.writingToTheEnd(work)
    }
}

// What is written to the cache and the originals. Every call is inside a transaction of the store.
extension CachedRemote {
    /// Stores what the service answered, unless the cached record has local changes. Returns what the caller sees.
    func saveAnswer(_ answer: JSONObject, id: String, inCache: Bool) throws(Fault) -> JSONObject {
        let stored = try cache.row(id)
        if let stored, LocalFlags(of: stored).isDirty || !inCache {
            // The original stays the version that the cached record came from.
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
        // What the app has removed in the meantime is not stored again.
        guard inCache, stored != nil || image == nil else {
            if stored == nil {
                try saveOriginal(sent.record, id: id, removing: sent.removed)
            }
            return sent.record
        }
        try saveOriginal(sent.record, id: id, removing: sent.removed)
        if let stored, stored != image, LocalFlags(of: stored).isDirty {
            let taken = ownMembers(of: image ?? JSONObject()).merging(ownMembers(of: sent.record))
                .removing { Self.contains($0, sent.removed) }
            return try putEdited(stored, from: image, onto: taken, id: id, LocalFlags(of: stored))
        }
        let clean = (stored ?? JSONObject()).merging(sent.record).removing { Self.contains($0, sent.removed) }
        return try put(clean, id: id, LocalFlags(), at: stored?.entryId)
    }

    /// Stores a row that was edited while it was sent: what was edited since the image stays, and the rest is what the
    /// service has now.
    func putEdited(
        _ stored: JSONObject, from image: JSONObject?, onto taken: JSONObject, id: String, _ flags: LocalFlags,
        error: String? = nil
    ) throws(Fault) -> JSONObject {
        // The members that are compared are the record's own, on all sides.
        let outcome = ThreeWayMerge().outcome(
            base: ownMembers(of: image ?? JSONObject()), theirs: taken, yours: ownMembers(of: stored),
            mode: .acceptYours)
        guard case .merged(let merged, _) = outcome else { return stored }
        let others = stored.removing { !ReservedField.isReserved($0) && ByteKey($0) != ByteKey(cache.keyField) }
        var row = others.merging(merged)
        row[ReservedField.lastError] = error.map(JSONValue.string) ?? row[ReservedField.lastError]
        var clean = taken
        clean[cache.keyField] = .string(id)
        clean["_soupEntryId"] = stored["_soupEntryId"]
        try cache.keepOriginal(clean)
        return try put(row, id: id, flags, at: stored.entryId)
    }

    /// Removes a record that the service has deleted. One that was edited in the meantime is a new record from now on.
    func removeDeleted(_ id: String, image: JSONObject?, fromCache: Bool) throws(Fault) {
        try originals?.remove(id)
        guard fromCache, let stored = try cache.row(id), let entryId = stored.entryId else { return }
        let flags = LocalFlags(of: stored)
        // A deletion that was taken back may have left the row clean.
        let wasDeleted = image.map { LocalFlags(of: $0).isDeleted } ?? false
        guard stored != image, !flags.isDeleted, flags.isDirty || wasDeleted else {
            return try cache.removeRows([entryId])
        }
        var created = LocalFlags()
        created.isCreated = true
        // Nothing to go back to is left of it.
        try cache.removeOriginal(entryId)
        _ = try put(stored, id: LocalId.next(from: uuids), created, at: entryId)
    }

    /// Marks a record of the cache as updated; one that is not there is stored.
    func markUpdated(_ id: String, _ given: JSONObject) throws(Fault) -> JSONObject {
        let stored = try cache.row(id)
        try requireNotDeleted(stored)
        var flags = stored.map { LocalFlags(of: $0) } ?? LocalFlags()
        if let stored, !flags.isDirty {
            try cache.keepOriginal(stored)
        }
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
        if let stored, !flags.isDirty {
            try cache.keepOriginal(stored)
        }
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

    func saveOriginal(_ record: JSONObject, id: String, removing removed: [String] = []) throws(Fault) {
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
