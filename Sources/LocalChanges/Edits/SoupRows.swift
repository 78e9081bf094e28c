package import JSONText
package import OfflineStore
package import Soups

/// Reads and writes the rows of one soup as JSON objects.
package struct SoupRows: Sendable {
    package let store: SmartStore
    package let soup: String

    package init(_ store: SmartStore, soup: String) {
        self.store = store
        self.soup = soup
    }

    /// Whether rows can be found by their value at a path: the soup exists, and has an index on it. An app may remove
    /// the soup, or register it again without the index.
    package func canFind(by path: String) throws(Fault) -> Bool {
        guard try store.soupExists(soup) else { return false }
        return try store.hasIndex(forPath: path, inSoup: soup)
    }

    /// Whether rows can be found by a text at a path. An index of numbers has no texts.
    package func canFindTexts(by path: String) throws(Fault) -> Bool {
        guard try canFind(by: path) else { return false }
        return try store.indexSpecs(ofSoup: soup).contains { spec in
            ByteKey(spec.path) == ByteKey(path) && spec.type != .integer && spec.type != .floating
        }
    }

    /// The row with an id; nil if no row has it.
    package func row(_ id: Int64) throws(Fault) -> JSONObject? {
        guard let bytes = try store.retrieve(id: id, from: soup) else { return nil }
        return try Self.object(of: bytes)
    }

    /// The rows with these ids, by id. Absent ones are left out.
    package func rows(_ ids: [Int64]) throws(Fault) -> [Int64: JSONObject] {
        var rows: [Int64: JSONObject] = [:]
        for entry in try store.retrieve(ids: ids, from: soup) {
            let row = try Self.object(of: entry)
            rows[row.entryId ?? 0] = row
        }
        return rows
    }

    /// The ids of the rows whose value at an indexed path is one of some keys: in the order of the keys, those of one
    /// key by id.
    package func ids(where path: String, isOneOf keys: [SQLValue]) throws(Fault) -> [Int64] {
        try store.lookUp(keys, path: path, in: soup, selecting: ["_soupEntryId"]).compactMap { cells in
            guard case .value(.integer(let id))? = cells.first else { return nil }
            return id
        }
    }

    /// Stores a row under the id in it, or a new one, and returns it as stored.
    package func write(_ row: JSONObject) throws(Fault) -> JSONObject {
        let stored = try store.upsert([JSONValue.object(row).bytes()], into: soup)
        return try Self.object(of: stored.first ?? [])
    }

    /// The whole rows whose value at an indexed path is a key, by entry id.
    package func rows(where path: String, is key: SQLValue) throws(Fault) -> [JSONObject] {
        try store.lookUp([key], path: path, in: soup, selecting: ["_soup"]).map { (cells) throws(Fault) in
            try Self.object(ofRow: cells)
        }
    }

    /// The whole changed rows that have a local id anywhere, by entry id. Other rows are not parsed, and not read into
    /// memory unless their texts are in files. The soup needs an index on `__local__`.
    package func changedRows(naming localId: String) throws(Fault) -> [JSONObject] {
        guard try store.soupSpec(ofSoup: soup).features.isEmpty else {
            return try changedRows(withBytes: Array(localId.utf8))
        }
        // A local id has no letters that JSON escapes.
        let rows = try store.rows(
            "SELECT {\(soup):_soup} FROM {\(soup)} WHERE {\(soup):\(ReservedField.local)} = 'true' "
                + "AND instr({\(soup):_soup}, ?) > 0 ORDER BY {\(soup):_soupEntryId}",
            arguments: [.text(localId)], limit: Int(Int32.max))
        return try rows.map { (cells) throws(Fault) in try Self.object(ofRow: cells) }
    }

    /// The changed rows whose texts have some bytes.
    private func changedRows(withBytes id: [UInt8]) throws(Fault) -> [JSONObject] {
        let found = try store.lookUp([.text("true")], path: ReservedField.local, in: soup, selecting: ["_soup"])
        var rows: [JSONObject] = []
        for cells in found {
            if case .entry(let text)? = cells.first, text.firstRange(of: id) == nil {
                continue
            }
            rows.append(try Self.object(ofRow: cells))
        }
        return rows
    }

    /// The entry that is selected first in a row, as an object.
    package static func object(ofRow cells: [StoreCell]) throws(Fault) -> JSONObject {
        guard case .entry(let bytes)? = cells.first else {
            throw Fault(.corrupt, "a row has no entry")
        }
        return try object(of: bytes)
    }

    /// A stored row as an object.
    package static func object(of bytes: [UInt8]) throws(Fault) -> JSONObject {
        do throws(JSONError) {
            let value = try JSONValue(parsing: bytes, options: .storedEntry)
            if let object = value.object {
                return object
            }
        } catch {
            throw Fault(.corrupt, "a stored entry is not valid JSON: \(error.message)", offset: error.offset)
        }
        throw Fault(.corrupt, "a stored entry is not an object")
    }
}

extension SmartStore {
    /// Runs several calls as one transaction, with typed faults.
    package func atomically<R>(_ work: () throws(Fault) -> R) throws(Fault) -> R {
        do {
            return try transaction { _ in try work() }
        } catch let fault as Fault {
            throw fault
        } catch {
            throw Fault(.closed, "the work of a transaction threw another error")
        }
    }
}

extension JSONObject {
    /// The id under which the store keeps the row; nil for a row that was not stored.
    package var entryId: Int64? { self["_soupEntryId"]?.int64 }
}
