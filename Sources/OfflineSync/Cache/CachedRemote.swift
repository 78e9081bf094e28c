public import JSONText
public import LocalChanges
import OfflineStore
import Soups

/// Works with the records of a service through a cache, one at a time, and finds conflicts field by field.
///
/// ```swift
/// let accounts = CachedRemote(ServiceRemote(network, objectType: "Account"), cache: cache, originals: originals)
/// let fields = ["Id", "Name", "Industry"]
/// _ = try await accounts.read("001A", fields: fields)
/// do {
///     _ = try await accounts.update("001A", with: ["Name": "Acme2"], fields: fields, mergeMode: .failIfConflict)
/// } catch let conflict as MergeConflict {
///     show(conflict.report.changes.conflicting)
/// }
/// ```
///
/// A cache mode says for each operation where it goes; by default to the service, and then into the cache. If the
/// service fails, nothing is written and its fault is thrown: whether the cache answers instead is the caller's
/// decision.
///
/// With a cache of originals, which holds each record as it was at the last read or save through the service, a merge
/// mode other than `overwrite` compares three versions before an update or a deletion: the original, the record of the
/// service now, and the local one. Without an original nothing is compared.
///
/// An edit of a cached record that is made while it is being sent is not lost: it stays, to be sent, on top of what was
/// sent. Calls wait suspended and may come from any task. The service is asked outside any transaction. What it has
/// answered to a change is stored even if the task is cancelled then.
public struct CachedRemote: Sendable {
    /// The service.
    public let remote: any Remote
    /// The cache.
    public let cache: RecordCache
    /// The records as they were at the last read or save through the service; nil to compare nothing.
    public let originals: RecordCache?
    /// Chooses the cache mode of an operation whose call names none.
    public var cacheMode: @Sendable (CacheOperation) -> CacheMode
    /// The merge mode of a call that names none.
    public var mergeMode: MergeMode
    /// Whether an empty text counts as null when versions are compared.
    public var emptyIsNull = false
    let uuids: UUIDSource

    /// Creates a cached remote over a registered cache. The originals are a registered cache of their own in the same
    /// store, with the same key field. The UUIDs give the digits of local ids.
    public init(
        _ remote: any Remote, cache: RecordCache, originals: RecordCache? = nil,
        cacheMode: @escaping @Sendable (CacheOperation) -> CacheMode = { _ in .serverFirst },
        mergeMode: MergeMode = .overwrite, uuids: UUIDSource = .random
    ) {
        self.remote = remote
        self.cache = cache
        self.originals = originals
        self.cacheMode = cacheMode
        self.mergeMode = mergeMode
        self.uuids = uuids
    }

    /// Reads a record.
    ///
    /// `cacheOnly` gives nil on a miss and does not look at the fields. `cacheFirst` asks the service if the cache has
    /// no such record or lacks a field. What the service answers is stored, and becomes the original, unless the cached
    /// record has local changes: then only the answer is returned. With `serverOnly` it becomes the original only if
    /// the cache has no such record. Without a list of fields, all are asked for.
    ///
    /// - Throws: what the remote throws; `refused` if the service has no such record; `invalidArguments` for a local id
    ///   that the service is asked for; as `RecordCache`.
    public func read(_ id: String, fields: [String]? = nil, mode: CacheMode? = nil) async throws -> CachedRecord {
        let mode = mode ?? cacheMode(.read)
        switch mode {
        case .cacheOnly:
            return CachedRecord(record: try await cached(id), isFromCache: true)
        case .cacheFirst:
            if let record = try await cached(id, fields: fields ?? []) {
                return CachedRecord(record: record, isFromCache: true)
            }
            guard !LocalId.isLocal(id) else {
                return CachedRecord(record: nil, isFromCache: true)
            }
        case .serverOnly, .serverFirst: try requireServerId(id)
        }
        guard let answer = try await remote.read(id, fields: fields) else {
            throw Fault(.refused, "the service has no such record")
        }
        let theirs = fromServer(answer, id: id)
        let stored = try await cache.store.transaction { _ in
            try saveAnswer(theirs, id: id, inCache: mode != .serverOnly)
        }
        return CachedRecord(record: stored, isFromCache: false)
    }

    /// Creates a record.
    ///
    /// `cacheOnly` gives it a local id and marks it as created. A record that has a local id of the cache already is
    /// created on the service and then moves to its new id. Without a list of fields, all are sent.
    ///
    /// - Throws: what the remote throws; `invalidArguments` for `cacheFirst`; as `RecordCache`, and for a local id as
    ///   `update`.
    public func create(
        _ record: JSONObject, fields: [String]? = nil, mode: CacheMode? = nil
    ) async throws -> CachedRecord {
        let mode = mode ?? cacheMode(.create)
        try requireWriting(mode)
        let given = ownMembers(of: record)
        if mode == .cacheOnly {
            let id = LocalId.next(from: uuids)
            let stored = try await cache.store.transaction { _ in
                var flags = LocalFlags()
                flags.isCreated = true
                return try put(given, id: id, flags, at: nil)
            }
            return CachedRecord(record: stored, isFromCache: true)
        }
        if mode == .serverFirst, let local = record[cache.keyField]?.string, LocalId.isLocal(local) {
            return try await createLocal(local, with: given, fields: fields, isCached: false)
        }
        let id = try await remote.create(body(of: given, fields))
        var created = given
        created[cache.keyField] = .string(id)
        let answer = created
        let stored = try await saveOutcome {
            try saveAnswer(answer, id: id, inCache: mode != .serverOnly)
        }
        return CachedRecord(record: stored, isFromCache: false)
    }
}

// MARK: - Checks and forms
extension CachedRemote {
    /// The cached record with a key; `nil` if the cache has no such record, or it lacks one of the fields.
    func cached(_ id: String, fields: [String] = []) async throws -> JSONObject? {
        guard let record = try await cache.rowWhileSuspended(id), cache.has(fields, record) else { return nil }
        return record
    }

    func requireWriting(_ mode: CacheMode) throws(Fault) {
        guard mode != .cacheFirst else {
            throw Fault(.invalidArguments, "cache-first is a mode of reads; choose another one for changes")
        }
    }

    func requireNotDeleted(_ row: JSONObject?) throws(Fault) {
        guard let row, LocalFlags(of: row).isDeleted else { return }
        throw Fault(.invalidEntry, "the record was deleted locally; undelete it first", context: [.soup(cache.soup)])
    }

    func requireServerId(_ id: String) throws(Fault) {
        guard !LocalId.isLocal(id) else {
            throw Fault(
                .invalidArguments, "the service does not know a local id; update the record first, which creates it")
        }
    }

    func requireKey(_ id: String) throws(Fault) {
        guard !id.isEmpty else {
            throw Fault(.externalIdMissing, "the id of a record must not be empty", context: [.soup(cache.soup)])
        }
    }

    /// The members of a record that are neither reserved nor its key.
    func ownMembers(of record: JSONObject) -> JSONObject {
        record.removing { ReservedField.isReserved($0) || ByteKey($0) == ByteKey(cache.keyField) }
    }

    /// A record of the service under the key that was asked for.
    func fromServer(_ record: JSONObject, id: String) -> JSONObject {
        var own = record.removing { ReservedField.isReserved($0) && ByteKey($0) != ByteKey(cache.keyField) }
        if own[cache.keyField]?.number == nil {
            own[cache.keyField] = .string(id)
        }
        return own
    }

    /// What is sent of a record: fields in the order of their list, without the key. What the record lacks is left out.
    func body(of record: JSONObject, _ fields: [String]?) -> JSONObject {
        var seen: Set<ByteKey> = [ByteKey(cache.keyField)]
        return JSONObject(
            (fields ?? record.names).compactMap { name in
                guard ReservedField.isField(name), seen.insert(ByteKey(name)).inserted else { return nil }
                return record.value(at: name).map { (name, $0) }
            })
    }
}
