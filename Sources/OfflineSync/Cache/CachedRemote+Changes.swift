public import JSONText
public import LocalChanges
import OfflineStore
import Soups

extension CachedRemote {
    /// Updates a record.
    ///
    /// The local version is the cached record with the given members put in; where the cached record has no local
    /// changes, it is the original with them. `cacheOnly` stores it and marks it as updated. Through the service it is
    /// merged with the changes made there, as the merge mode says, sent, and stored without flags. A local id is
    /// created on the service first, and the cached record moves to its new id. Without a list of fields, all are
    /// compared and sent.
    ///
    /// A creation is noted in the ``Outbox`` before it is sent. If its answer is lost, the note stays, and further
    /// calls with this id are `inDoubt` until `Outbox.resolve` says whether the service has created the record; so is a
    /// second call while the first is under way.
    ///
    /// - Throws: `MergeConflict` if the mode does not allow to merge, or if the record is gone on the service; what the
    ///   remote throws; `invalidArguments` for `cacheFirst`, and for a local id with `serverOnly`; `invalidEntry` if
    ///   the cached record was deleted locally, or there is none with this local id; `inDoubt`; as `RecordCache`.
    public func update(
        _ id: String, with record: JSONObject, fields: [String]? = nil, mode: CacheMode? = nil,
        mergeMode: MergeMode? = nil
    ) async throws -> CachedRecord {
        let mode = mode ?? cacheMode(.update)
        try requireWriting(mode)
        try requireKey(id)
        let given = ownMembers(of: record)
        if mode == .cacheOnly {
            let stored = try await cache.store.transaction { _ in try markUpdated(id, given) }
            return CachedRecord(record: stored, isFromCache: true)
        }
        if LocalId.isLocal(id) {
            guard mode == .serverFirst else { throw Self.localWithoutCache }
            return try await createLocal(id, with: given, fields: fields, isCached: true)
        }
        let image = mode == .serverFirst ? try await cached(id) : nil
        try requireNotDeleted(image)
        let base = try await original(id)
        var yours = localVersion(of: image, base).merging(given)
        yours[cache.keyField] = base?[cache.keyField] ?? .string(id)
        let merged = try await merge(
            yours, id: id, base: base, fields: fields, mode: mergeMode ?? self.mergeMode)
        try await remote.update(id, with: body(of: merged.record, fields))
        let stored = try await saveOutcome {
            try saveSent(merged, id: id, image: image, inCache: mode == .serverFirst)
        }
        return CachedRecord(record: stored, isFromCache: false)
    }

    /// Deletes a record, here and on the service. One that the service no longer has counts as deleted.
    ///
    /// `cacheOnly` removes a record with a local id and marks any other as deleted. Without a list of fields, all are
    /// compared.
    ///
    /// - Throws: `MergeConflict` if the mode does not allow it, because the record was changed on the service; what the
    ///   remote throws; `invalidArguments` for `cacheFirst`, and for a local id unless the mode is `cacheOnly`; as
    ///   `RecordCache`.
    @discardableResult
    public func delete(
        _ id: String, fields: [String]? = nil, mode: CacheMode? = nil, mergeMode: MergeMode? = nil
    ) async throws -> CachedRecord {
        let mode = mode ?? cacheMode(.delete)
        try requireWriting(mode)
        try requireKey(id)
        if mode == .cacheOnly {
            let stored = try await cache.store.transaction { _ in try markDeleted(id) }
            return CachedRecord(record: stored, isFromCache: true)
        }
        try requireServerId(id)
        let image = mode == .serverFirst ? try await cached(id) : nil
        if try await mayDelete(id, image, fields: fields, mode: mergeMode ?? self.mergeMode) {
            try await remote.delete(id)
        }
        try await saveOutcome {
            try removeDeleted(id, image: image, fromCache: mode == .serverFirst)
        }
        return CachedRecord(record: nil, isFromCache: false)
    }
}

// MARK: - Comparing
extension CachedRemote {
    /// A record to send, and the fields that the service has removed from it.
    struct Merged: Sendable {
        let record: JSONObject
        var removed: [String] = []
    }

    /// Merges a record with the changes of the service, if there is something to compare it with.
    private func merge(
        _ yours: JSONObject, id: String, base: JSONObject?, fields: [String]?, mode: MergeMode
    ) async throws -> Merged {
        guard let base, mode != .overwrite else {
            return Merged(record: yours)
        }
        let theirs = try await theirs(id, base, fields: fields)
        let merge = ThreeWayMerge(fields: fields, emptyIsNull: emptyIsNull)
        switch merge.outcome(base: base, theirs: theirs, yours: yours, mode: mode) {
        case .merged(let record, let changes):
            return Merged(record: record, removed: changes.remote.filter { record.value(at: $0) == nil })
        case .conflict(let report): throw MergeConflict(report: report)
        }
    }

    /// Whether there is something to delete on the service. Throws `MergeConflict` if the mode does not allow it.
    private func mayDelete(
        _ id: String, _ image: JSONObject?, fields: [String]?, mode: MergeMode
    ) async throws -> Bool {
        guard mode != .overwrite, let base = try await original(id) else {
            return true
        }
        guard let theirs = try await theirs(id, base, fields: fields) else {
            return false
        }
        var yours = localVersion(of: image, base)
        yours[cache.keyField] = base[cache.keyField]
        let merge = ThreeWayMerge(fields: fields, emptyIsNull: emptyIsNull)
        if case .conflict(let report) = merge.outcome(base: base, theirs: theirs, yours: yours, mode: mode) {
            throw MergeConflict(report: report)
        }
        return true
    }

    /// The record of the service now, under the key of the original; nil if it is gone.
    private func theirs(_ id: String, _ base: JSONObject, fields: [String]?) async throws -> JSONObject? {
        guard var theirs = try await remote.read(id, fields: fields) else { return nil }
        theirs = fromServer(theirs, id: id)
        theirs[cache.keyField] = base[cache.keyField]
        return theirs
    }

    /// The version of the record at the last read or save through the service, without flags.
    private func original(_ id: String) async throws -> JSONObject? {
        guard let originals else { return nil }
        return try await originals.rowWhileSuspended(id)?.removing {
            ReservedField.isReserved($0) && ByteKey($0) != ByteKey(originals.keyField)
        }
    }

    /// The members of the local version: those of a cached record with local changes, else those of the original. A
    /// clean cached record may be older than the original.
    private func localVersion(of image: JSONObject?, _ base: JSONObject?) -> JSONObject {
        guard let image else {
            return ownMembers(of: base ?? JSONObject())
        }
        return ownMembers(of: LocalFlags(of: image).isDirty ? image : base ?? image)
    }

    private static var localWithoutCache: Fault {
        Fault(.invalidArguments, "a record with a local id is created through the cache; use server-first")
    }
}
