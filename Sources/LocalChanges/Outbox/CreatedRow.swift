package import JSONText
import OfflineStore
package import Soups

/// Saves a row whose record the service has created. Every call is inside a transaction of the caller.
package struct CreatedRow {
    private let rows: SoupRows
    private let keyField: String
    private let id: String

    package init(_ rows: SoupRows, keyField: String, id: String) {
        self.rows = rows
        self.keyField = keyField
        self.id = id
    }

    /// Returns the row as stored; nil if the other row with the same id stays in its place. Without fields, all of the
    /// row are sent.
    func save(_ row: JSONObject, sent: JSONObject, fields: [String]?) throws(Fault) -> JSONObject? {
        let isEdited = LocalFlags(of: row).isDeleted || differs(row, from: sent, fields)
        return try save(row, isEdited: isEdited, original: asSent(row, sent, fields)).row
    }

    /// Saves a row that may have been edited since it was sent.
    ///
    /// - Parameter original: The row as the service has it now, without its id.
    /// - Returns: The row as stored, nil if the other row with the same id stays in its place; and how many rows were
    ///   removed.
    package func save(
        _ row: JSONObject, isEdited: Bool, original: JSONObject
    ) throws(Fault) -> (row: JSONObject?, removed: Int) {
        guard let entryId = row.entryId else {
            throw Fault(.corrupt, "a stored row has no entry id", context: [.soup(rows.soup)])
        }
        var flags = LocalFlags(of: row)
        let others = try rows.rows(where: keyField, is: .text(id)).filter { $0.entryId != entryId }
        let isRivalled = others.contains { LocalFlags(of: $0).isDirty }
        let originals = Originals(rows.store, soup: rows.soup)
        let replaced = others.filter { !LocalFlags(of: $0).isDirty }.compactMap(\.entryId)
        try rows.store.remove(ids: replaced, from: rows.soup)
        guard isEdited || !isRivalled else {
            try rows.store.remove(ids: [entryId], from: rows.soup)
            try originals.remove([entryId])
            return (nil, replaced.count + 1)
        }
        var saved = row
        saved[keyField] = .string(id)
        if isEdited {
            if try originals.exists() {
                var kept = original
                kept[keyField] = .string(id)
                try originals.keep(kept, keyField: keyField)
            }
            flags.isCreated = false
            flags.isUpdated = !flags.isDeleted
            if isRivalled {
                saved[ReservedField.lastError] = .string(Self.duplicate)
            }
        } else {
            flags = LocalFlags()
            try originals.remove([entryId])
        }
        flags.write(to: &saved)
        return (try rows.write(saved), replaced.count)
    }

    /// Whether what would be sent now differs from what was.
    private func differs(_ row: JSONObject, from sent: JSONObject, _ fields: [String]?) -> Bool {
        guard let fields else {
            return JSONValue.object(ownFields(of: row)) != .object(ownFields(of: asSent(row, sent, nil)))
        }
        // What the row lacks is left out.
        let now = JSONObject(fields.compactMap { name in row.value(at: name).map { (name, $0) } })
        return JSONValue.object(now) != .object(sent)
    }

    /// The row as the service has it: with what was sent in it, and without the other fields that would be sent now.
    private func asSent(_ row: JSONObject, _ sent: JSONObject, _ fields: [String]?) -> JSONObject {
        guard let fields else {
            // A member with a dot in its name was sent as such.
            let members = Set(row.names.map { ByteKey($0) })
            let literal = sent.removing { !members.contains(ByteKey($0)) }
            let paths = sent.removing { members.contains(ByteKey($0)) }
            return row.removing(where: isOwn).merging(literal).placing(paths)
        }
        let unsent = fields.filter { sent[$0] == nil }
        return unsent.reduce(row) { $0.setting(nil, at: $1) }.placing(sent)
    }

    private func ownFields(of row: JSONObject) -> JSONObject { row.removing { !isOwn($0) } }

    /// Whether a member is one of those that are sent where no fields are named.
    private func isOwn(_ name: String) -> Bool {
        ReservedField.isField(name) && ByteKey(name) != ByteKey(keyField)
    }

    package static let duplicateCode = "DUPLICATE_ID"

    /// The error of a row that stays though another one with local changes has its id.
    package static let duplicate =
        #"{"errorCode":"\#(duplicateCode)","message":"another row that was changed locally has the id of this record"}"#
}
