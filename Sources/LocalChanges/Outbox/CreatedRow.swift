package import JSONText
import OfflineStore
import Soups

/// Saves a row whose record the service has created. Every call is inside a transaction of the caller.
struct CreatedRow {
    private let rows: SoupRows
    private let keyField: String
    private let id: String

    init(_ rows: SoupRows, keyField: String, id: String) {
        self.rows = rows
        self.keyField = keyField
        self.id = id
    }

    /// Returns the row as stored; nil if the other row with the same id stays in its place.
    func save(_ row: JSONObject, sent: JSONObject, fields: [String]?) throws(Fault) -> JSONObject? {
        guard let entryId = row.entryId else {
            throw Fault(.corrupt, "a stored row has no entry id", context: [.soup(rows.soup)])
        }
        var flags = LocalFlags(of: row)
        let names = fields ?? sent.names
        let isEdited = flags.isDeleted || Self.values(names, of: row) != sent
        let others = try rows.rows(where: keyField, is: .text(id)).filter { $0.entryId != entryId }
        let isRivalled = others.contains { LocalFlags(of: $0).isDirty }
        try rows.store.remove(
            ids: others.filter { !LocalFlags(of: $0).isDirty }.compactMap(\.entryId), from: rows.soup)
        let originals = Originals(rows.store, soup: rows.soup)
        guard isEdited || !isRivalled else {
            try rows.store.remove(ids: [entryId], from: rows.soup)
            try originals.remove([entryId])
            return nil
        }
        var saved = row
        saved[keyField] = .string(id)
        if isEdited {
            flags.isCreated = false
            flags.isUpdated = !flags.isDeleted
            if isRivalled {
                saved[ReservedField.lastError] = .string(Self.duplicate)
            }
            if try rows.store.soupExists(originals.name) {
                try originals.keep(saved.merging(Self.topLevel(sent)), keyField: keyField)
            }
        } else {
            flags = LocalFlags()
            try originals.remove([entryId])
        }
        flags.write(to: &saved)
        return try rows.write(saved)
    }

    /// The values of fields, as they are sent: a dotted name is a path into the row, and what the row lacks is left out.
    private static func values(_ names: [String], of row: JSONObject) -> JSONObject {
        JSONObject(names.compactMap { name in row.value(at: name).map { (name, $0) } })
    }

    private static func topLevel(_ sent: JSONObject) -> JSONObject {
        sent.removing { $0.utf8.contains(UInt8(ascii: ".")) }
    }

    private static let duplicate =
        #"{"errorCode":"DUPLICATE_ID","message":"another row that was changed locally has the id of this record"}"#
}

extension JSONObject {
    /// The value of a field: the member of this name, or, for a dotted name, what the path leads to.
    package func value(at name: String) -> JSONValue? {
        if let member = self[name] {
            return member
        }
        let steps = name.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard steps.count > 1 else { return nil }
        var value = JSONValue.object(self)
        for step in steps {
            guard let next = value[step] else { return nil }
            value = next
        }
        return value
    }
}
