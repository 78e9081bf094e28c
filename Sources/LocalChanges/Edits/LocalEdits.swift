public import JSONText
public import OfflineStore
public import Soups

/// Changes rows of a soup locally, and sets the flags from which a later sync knows what to send.
///
/// ```swift
/// let edits = LocalEdits(store, soup: "contacts", keepsOriginals: true)
/// let created = try edits.create(["Name": "Ada"])
/// let updated = try edits.update(1, changes: ["Name": "Grace"])
/// let waiting = try edits.pending().totalEntries
/// try edits.discard(1)
/// // The row is clean again, with the name that it had.
/// ```
///
/// The flags are the members `__local__`, `__locally_created__`, `__locally_updated__` and `__locally_deleted__`. A row
/// is what it was, plus flags: an app may also set them itself. Each call is one transaction of the store, or a part of
/// the transaction that it is made in: all of it is kept or nothing. Works on any soup; only `pending(pageSize:)`
/// needs an index. Calls may come from any thread. The `async` forms wait suspended.
public struct LocalEdits: Sendable {
    /// The store of the soup.
    public let store: SmartStore
    /// The name of the soup.
    public let soup: String
    /// The member with the id that the service knows.
    public let keyField: String
    /// Whether the row is kept as it was before its first local change, so that changes can be discarded.
    public let keepsOriginals: Bool
    let rows: SoupRows
    let originals: Originals
    private let uuids: UUIDSource

    /// Names the soup to edit. Nothing is read or written yet.
    ///
    /// - Parameters:
    ///   - keyField: A member of the records, not a path.
    ///   - uuids: Gives the digits of local ids.
    public init(
        _ store: SmartStore, soup: String, keyField: String = "Id", keepsOriginals: Bool = false,
        uuids: UUIDSource = .random
    ) {
        self.store = store
        self.soup = soup
        self.keyField = keyField
        self.keepsOriginals = keepsOriginals
        self.uuids = uuids
        rows = SoupRows(store, soup: soup)
        originals = Originals(store, soup: soup)
    }

    /// Stores a new record as created locally, and returns its row. It gets a local id, unless it has a text or a
    /// number in the key field. Flags and fields of the store in the record are not taken over.
    ///
    /// - Throws: `soupNotFound`; `invalidEntry` if the key is neither a text nor a number; as `upsert`.
    public func create(_ record: JSONObject) throws(Fault) -> JSONObject {
        var row = record.removing { ReservedField.isWrittenHere($0) && ByteKey($0) != ByteKey(keyField) }
        switch row[keyField] {
        case .number?: break
        case .string(let key)? where !key.isEmpty: break
        case nil, .null?, .string?: row[keyField] = .string(LocalId.next(from: uuids))
        default: throw invalid("the key of a record must be a text or a number", keyField)
        }
        var flags = LocalFlags()
        flags.isCreated = true
        flags.write(to: &row)
        return try rows.write(row)
    }

    /// Replaces fields of a row one by one, and returns the row. Null is a value. An equal value is not a change, and
    /// a call without any change leaves the row as it is, byte for byte.
    ///
    /// - Throws: `soupNotFound`; `invalidEntry` if there is no such row or it was deleted locally, and, with the path,
    ///   for reserved fields, `attributes`, and another key of a row that was not created locally; as `upsert`.
    public func update(_ entryId: Int64, changes: JSONObject) throws(Fault) -> JSONObject {
        for name in changes.names where !ReservedField.isField(name) && ByteKey(name) != ByteKey(keyField) {
            throw invalid("a reserved field cannot be changed; leave it out", name)
        }
        return try store.atomically { () throws(Fault) in
            let row = try self.row(entryId)
            var flags = LocalFlags(of: row)
            guard !flags.isDeleted else {
                throw invalid("the row was deleted locally; undelete it first")
            }
            let members = MemberIndex(row)
            let effective = JSONObject(
                changes.members.filter { members[$0.name] != $0.value }.map { ($0.name, $0.value) })
            guard !effective.isEmpty else {
                return row
            }
            guard flags.isCreated || effective[keyField] == nil else {
                throw invalid("the key of a record that the service has cannot be changed", keyField)
            }
            try keepOriginal(of: row, flags)
            flags.isUpdated = !flags.isCreated
            var changed = row.merging(effective)
            flags.write(to: &changed)
            return try rows.write(changed)
        }
    }

    /// Marks a row as deleted locally, and returns it. A row that was created locally is removed at once, and nil is
    /// returned. A row that is marked already stays as it is.
    ///
    /// - Throws: `soupNotFound`; `invalidEntry` if there is no such row; as `upsert`.
    @discardableResult
    public func delete(_ entryId: Int64) throws(Fault) -> JSONObject? {
        try store.atomically { () throws(Fault) in
            var row = try self.row(entryId)
            var flags = LocalFlags(of: row)
            guard !flags.isCreated else {
                try remove(entryId)
                return nil
            }
            guard !flags.isDeleted else {
                return row
            }
            try keepOriginal(of: row, flags)
            flags.isDeleted = true
            flags.write(to: &row)
            return try rows.write(row)
        }
    }

    /// Keeps the row as its original if this is its first local change.
    private func keepOriginal(of row: JSONObject, _ flags: LocalFlags) throws(Fault) {
        if keepsOriginals, !flags.isDirty {
            try originals.keep(row, keyField: keyField)
        }
    }
}

extension LocalEdits {
    /// The row with an id, or `invalidEntry`.
    func row(_ entryId: Int64) throws(Fault) -> JSONObject {
        guard let row = try rows.row(entryId) else {
            throw invalid("the soup has no row with this entry id; it may have been removed")
        }
        return row
    }

    /// Removes a row with what is kept of it.
    func remove(_ entryId: Int64) throws(Fault) {
        try store.remove(ids: [entryId], from: soup)
        try originals.remove([entryId])
    }

    func invalid(_ message: String, _ path: String? = nil) -> Fault {
        Fault(.invalidEntry, message, context: [.soup(soup)] + (path.map { [.path($0)] } ?? []))
    }
}
