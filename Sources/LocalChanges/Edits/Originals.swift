public import JSONText
public import OfflineStore
public import Soups

/// Keeps the rows of a soup as they were before their first local change, in a soup of its own: `<soup>_originals`.
///
/// Its rows have a string index `key`, an integer index `entryId`, the member `original`, the row without flags, the
/// member `soupId`, the number of the soup, and, where a sync has passed over the changed row, the member `server`, the
/// record that it would have saved. Rows of a former soup of the name do not count. Each call is one transaction, or
/// part of the caller's. A soup of that name without these two indexes is not touched: it has no originals.
public struct Originals: Sendable {
    /// The store of both soups.
    public let store: SmartStore
    /// The name of the soup whose rows are kept.
    public let soup: String
    private let rows: SoupRows

    /// Names the originals of a soup. Nothing is read or written yet.
    public init(_ store: SmartStore, soup: String) {
        self.store = store
        self.soup = soup
        rows = SoupRows(store, soup: soup + Self.suffix)
    }

    /// What follows the name of a soup in the name of its originals.
    public static let suffix = "_originals"

    /// The name of the soup of originals.
    public var name: String { rows.soup }

    /// Returns the row as it was before its first local change, without flags; nil if it is not kept.
    ///
    /// - Throws: faults of the store.
    public func original(of entryId: Int64) throws(Fault) -> JSONObject? {
        KeptRecord.record(try kept(entryId)?["original"])
    }

    /// Returns the originals that are kept of some rows, without flags, by the ids of the rows.
    package func originals(of entryIds: [Int64]) throws(Fault) -> [Int64: JSONObject] {
        guard !entryIds.isEmpty, try exists() else { return [:] }
        let found = try store.lookUp(
            entryIds.map(SQLValue.integer), path: "entryId", in: name, selecting: ["_soup", "entryId"])
        let identity = try SoupIdentity(store, soup: soup)
        var originals: [Int64: JSONObject] = [:]
        for cells in found {
            guard case .value(.integer(let entryId)) = cells[1], originals[entryId] == nil else { continue }
            let row = try SoupRows.object(ofRow: cells)
            originals[entryId] = identity.isFormer(row) ? nil : KeptRecord.record(row["original"])
        }
        return originals
    }

    /// Returns the newest record of the service that a sync passed over because the row was changed; nil if it passed
    /// over no record.
    ///
    /// - Throws: faults of the store.
    public func skippedRecord(of entryId: Int64) throws(Fault) -> JSONObject? {
        KeptRecord.record(try kept(entryId)?["server"])
    }

    /// The record that a row becomes when its local changes are discarded; nil if no original is kept.
    func newest(of entryId: Int64) throws(Fault) -> JSONObject? {
        guard let row = try kept(entryId) else { return nil }
        return KeptRecord.record(row["server"]) ?? KeptRecord.record(row["original"])
    }

    /// Keeps a row as it is, without flags, in place of what was kept of it. Creates the soup if necessary.
    ///
    /// - Throws: `invalidEntry` if the row has no entry id; `pathNotIndexed` if another soup has the name; as `upsert`.
    public func keep(_ row: JSONObject, keyField: String) throws(Fault) {
        guard let entryId = row.entryId else {
            throw Fault(.invalidEntry, "a row without an entry id has no original", context: [.soup(soup)])
        }
        try store.atomically { () throws(Fault) in
            try register()
            var members: [(String, JSONValue)] = [
                ("key", row[keyField] ?? .null), ("entryId", .number(JSONNumber(entryId))),
                ("original", KeptRecord.json(row.removing { Self.isFlag($0) })),
            ]
            if let former = try stored(entryId)?.entryId {
                members.append(("_soupEntryId", .number(JSONNumber(former))))
            }
            _ = try rows.write(try SoupIdentity(store, soup: soup).marked(JSONObject(members)))
        }
    }

    /// Keeps, with an original, the record of the service that a sync passed over; the newest wins. Does nothing where
    /// no original is kept.
    ///
    /// - Returns: Whether there is an original.
    /// - Throws: as `upsert` of the store.
    @discardableResult
    public func keep(skippedRecord record: JSONObject, of entryId: Int64) throws(Fault) -> Bool {
        try store.atomically { () throws(Fault) in
            guard var row = try kept(entryId) else { return false }
            row["server"] = KeptRecord.json(record)
            _ = try rows.write(row)
            return true
        }
    }

    /// Forgets the originals of rows; those without one are ignored.
    ///
    /// - Throws: `diskFull`, `busy`, `readOnly`, `closed`.
    public func remove(_ entryIds: [Int64]) throws(Fault) {
        try store.atomically { () throws(Fault) in
            guard try exists() else { return }
            let ids = try rows.ids(where: "entryId", isOneOf: entryIds.map(SQLValue.integer))
            if !ids.isEmpty {
                try store.remove(ids: ids, from: name)
            }
        }
    }

    /// Puts another id into a member of the originals of rows, and of the records that syncs passed over, where it
    /// has a former one.
    package func replace(
        _ field: String, _ former: String, by id: JSONValue, of entryIds: [Int64]
    ) throws(Fault) {
        guard try exists() else { return }
        let found = try store.lookUp(
            entryIds.map(SQLValue.integer), path: "entryId", in: name, selecting: ["_soup"])
        let identity = try SoupIdentity(store, soup: soup)
        for cells in found {
            var row = try SoupRows.object(ofRow: cells)
            guard !identity.isFormer(row) else { continue }
            // Either of them may come back when the changes of the row are discarded.
            var isChanged = false
            for member in ["original", "server"] {
                guard var record = KeptRecord.record(row[member]), Self.has(record, former, in: field) else { continue }
                record[field] = id
                row[member] = KeptRecord.json(record)
                isChanged = true
            }
            if isChanged {
                _ = try rows.write(row)
            }
        }
    }

    /// Whether a member of a record is this id: a text, or a number as it is written.
    private static func has(_ record: JSONObject, _ id: String, in field: String) -> Bool {
        guard let value = record[field], let text = value.string ?? value.number?.text else { return false }
        return ByteKey(text) == ByteKey(id)
    }

    /// What is kept of a row of this soup, and not of a former one of its name.
    private func kept(_ entryId: Int64) throws(Fault) -> JSONObject? {
        guard let row = try stored(entryId) else { return nil }
        return try SoupIdentity(store, soup: soup).isFormer(row) ? nil : row
    }

    private func stored(_ entryId: Int64) throws(Fault) -> JSONObject? {
        guard try exists() else { return nil }
        return try rows.rows(where: "entryId", is: .integer(entryId)).first
    }

    /// Whether the soup exists and is one of originals, not a soup of the user that has its name.
    package func exists() throws(Fault) -> Bool {
        guard try store.soupExists(name) else { return false }
        let specs = try store.indexSpecs(ofSoup: name)
        return Self.specs.allSatisfy { wanted in
            specs.contains { ByteKey($0.path) == ByteKey(wanted.path) && $0.type == wanted.type }
        }
    }

    private func register() throws(Fault) {
        try store.registerSoup(name, indexSpecs: Self.specs)
        guard try exists() else {
            throw Fault(
                .pathNotIndexed, "a soup of this name exists and cannot keep originals; give it another name",
                context: [.soup(name), .path("entryId")])
        }
    }

    private static let specs: [IndexSpec] = [.string("key"), .integer("entryId")]

    private static func isFlag(_ name: String) -> Bool {
        ReservedField.flags.contains { ByteKey($0) == ByteKey(name) }
    }
}
