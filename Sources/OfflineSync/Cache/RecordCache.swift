public import JSONText
import LocalChanges
public import OfflineStore
public import Soups

/// Keeps records of a service in a soup, found by their key.
///
/// ```swift
/// let cache = RecordCache(store, soup: "agents", additionalIndexSpecs: [.string("Mission")])
/// try cache.register()
/// try cache.save(["Id": "007", "Name": "James Bond", "Mission": "TopSecret"])
/// try cache.save(["Id": "007", "Mission": "TopSecret2"])
/// let agent = try cache.retrieve("007")
/// let secret = try cache.find(.like(path: "Mission", likeKey: "Top%")).records()
/// // The agent has its name and the new mission.
/// ```
///
/// Each call is one transaction of the store, or part of the caller's. Calls may come from any thread. Source: guide,
/// StoreCache.
public struct RecordCache: Sendable {
    /// The store of the soup.
    public let store: SmartStore
    /// The name of the soup.
    public let soup: String
    /// The member with the key of a record.
    public let keyField: String
    private let additionalIndexSpecs: [IndexSpec]
    let rows: SoupRows

    /// Names the soup of a cache, and the member of its records that is their key: a text or a number. Nothing is read
    /// or written yet.
    public init(
        _ store: SmartStore, soup: String, additionalIndexSpecs: [IndexSpec] = [], keyField: String = "Id"
    ) {
        self.store = store
        self.soup = soup
        self.keyField = keyField
        self.additionalIndexSpecs = additionalIndexSpecs
        rows = SoupRows(store, soup: soup)
    }

    /// Registers the soup with string indexes on the key and on `__local__`, then the additional ones; a path that
    /// comes twice counts once. An existing soup stays as it is.
    ///
    /// - Throws: as `SmartStore.registerSoup`.
    public func register() throws(Fault) {
        var specs: [IndexSpec] = []
        for spec in [.string(keyField), .string(ReservedField.local)] + additionalIndexSpecs
        where !specs.contains(where: { ByteKey($0.path) == ByteKey(spec.path) }) {
            specs.append(spec)
        }
        try store.registerSoup(soup, indexSpecs: specs)
    }

    /// Reads a record; `nil` if the cache has no record with this key, or it lacks one of the fields. A dotted field is
    /// a path. A member that is null is not lacking.
    ///
    /// - Throws: `soupNotFound`, `pathNotIndexed`; `externalIdNotUnique` if two rows have the key.
    public func retrieve(_ key: String, fields: [String] = []) throws(Fault) -> JSONObject? {
        guard let record = try row(key), has(fields, record) else { return nil }
        return record
    }

    /// Saves a record under its key and returns it as stored.
    ///
    /// The four flags are completed: missing ones are false, and `__local__` is true if another is.
    ///
    /// - Throws: `externalIdMissing` without a key, `externalIdNotUnique`; as `SmartStore.upsert`.
    @discardableResult
    public func save(_ record: JSONObject, mode: SaveMode = .mergeAcceptTheirs) throws(Fault) -> JSONObject {
        try store.atomically { () throws(Fault) in try saveNow(record, mode) }
    }

    /// Saves records in one transaction, all of them or none.
    ///
    /// - Throws: as `save`.
    @discardableResult
    public func saveAll(
        _ records: [JSONObject], mode: SaveMode = .mergeAcceptTheirs
    ) throws(Fault) -> [JSONObject] {
        try store.atomically { () throws(Fault) in
            try records.map { (record) throws(Fault) in try saveNow(record, mode) }
        }
    }

    /// Removes a record. Removing an absent record is not an error.
    ///
    /// - Throws: `soupNotFound`, `pathNotIndexed`, `externalIdNotUnique`.
    public func remove(_ key: String) throws(Fault) {
        try store.atomically { () throws(Fault) in
            if let id = try row(key)?.entryId {
                try removeRows([id])
            }
        }
    }

    /// Finds records by a query spec of any kind.
    ///
    /// - Throws: as `SmartStore.query` and `SmartStore.runSmartQuery`.
    public func find(_ spec: QuerySpec) throws(Fault) -> RecordCursor {
        RecordCursor(spec.kind == .smart ? try store.runSmartQuery(spec) : try store.query(spec, soup: soup))
    }
}

extension RecordCache {
    /// The key of a record.
    func key(of record: JSONObject) throws(Fault) -> String {
        switch record[keyField] {
        case .string(let key)? where !key.isEmpty: return key
        case .number(let number)?: return number.text
        default:
            throw Fault(
                .externalIdMissing, "a record has no text or number as its key",
                context: [.soup(soup), .path(keyField)])
        }
    }

    /// The one row with a key; `nil` if no row has it.
    func row(_ key: String) throws(Fault) -> JSONObject? {
        try only(rows.rows(where: keyField, is: .text(key)))
    }

    /// The one row with a key as `row` gives it, on a thread of the store.
    func rowWhileSuspended(_ key: String) async throws -> JSONObject? {
        let found = try await store.lookUp([.text(key)], path: keyField, in: soup, selecting: ["_soup"])
        return try only(found.map(SoupRows.object(ofRow:)))
    }

    private func only(_ found: [JSONObject]) throws(Fault) -> JSONObject? {
        guard found.count < 2 else {
            throw Fault(
                .externalIdNotUnique, "more than one row has this key", context: [.soup(soup), .path(keyField)])
        }
        return found.first
    }

    /// Whether a record has all of these fields.
    func has(_ fields: [String], _ record: JSONObject) -> Bool { fields.allSatisfy { record.hasMember(at: $0) } }

    /// Saves a record inside a transaction of the caller.
    func saveNow(_ record: JSONObject, _ mode: SaveMode) throws(Fault) -> JSONObject {
        let stored = try row(key(of: record))
        // A record from elsewhere must not name the row that it goes to.
        var result = record.removing { $0.utf8.starts(with: "_soup".utf8) }
        if let stored {
            switch mode {
            case .overwrite: break
            case .mergeAcceptTheirs: result = stored.merging(result)
            case .leaveIfChanged:
                guard !LocalFlags(of: stored).isDirty else {
                    return stored
                }
            }
        }
        return try put(result, at: stored?.entryId)
    }

    /// Stores a record in a row, or in a new one, with its flags completed.
    func put(_ record: JSONObject, at entryId: Int64?) throws(Fault) -> JSONObject {
        var row = record
        LocalFlags(of: row).write(to: &row)
        row["_soupEntryId"] = entryId.map { .number(JSONNumber($0)) }
        if let entryId, !LocalFlags(of: row).isDirty {
            try localOriginals.remove([entryId])
        }
        return try rows.write(row)
    }

    /// Removes rows with what `LocalEdits` has kept of them.
    func removeRows(_ ids: [Int64]) throws(Fault) {
        try store.remove(ids: ids, from: soup)
        try localOriginals.remove(ids)
    }

    /// Keeps a row without local changes, as the version to which `LocalEdits` goes back, if the soup has such
    /// versions.
    func keepOriginal(_ row: JSONObject) throws(Fault) {
        if try localOriginals.exists() {
            try localOriginals.keep(row, keyField: keyField)
        }
    }

    /// Forgets the version of a row to which `LocalEdits` would go back.
    func removeOriginal(_ entryId: Int64) throws(Fault) { try localOriginals.remove([entryId]) }

    private var localOriginals: Originals { Originals(store, soup: soup) }
}

extension JSONObject {
    /// Whether there is a member at a path; null on the way counts as there.
    fileprivate func hasMember(at path: String) -> Bool {
        if self[path] != nil {
            return true
        }
        var value = JSONValue.object(self)
        for step in path.dottedNames {
            guard let next = value[step] else {
                return value.isNull
            }
            value = next
        }
        return true
    }
}
