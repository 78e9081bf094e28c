import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Gives rows of a set other keys. Every call is inside a transaction of the caller, which has no rows of the set in
/// memory.
struct RowKeys: Sendable {
    private let client: ODataClient
    private let set: MappedEntitySet
    let rows: SoupRows
    private let originals: Originals
    /// The names of the key that rows have until the set is loaded again.
    let formerNames: [String]

    init(_ client: ODataClient, _ set: MappedEntitySet) throws(Fault) {
        self.client = client
        self.set = set
        rows = SoupRows(client.store, soup: set.soup)
        originals = Originals(client.store, soup: set.soup)
        formerNames = try client.registry.formerKey(of: set)
    }

    /// The key of an entity with these properties; nil if a part is missing or does not fit.
    func key(of properties: JSONObject) -> String? {
        try? StoredKey.text(of: properties, set, version: client.map.version)
    }

    /// Whether a clean row has the key that its properties make.
    func hasPresentKey(_ row: JSONObject) -> Bool {
        key(of: row.properties(of: set)).map { ByteKey($0) } == ByteKey(row.keyText)
    }

    /// Gives a row a key that no entity has, by which its entity finds it.
    ///
    /// - Parameter known: The properties of its entity as the service knows it.
    func park(_ row: JSONObject, known: JSONObject) throws(Fault) {
        guard let key = FormerKey(formerNames, of: known, set), try client.isFree(key.text, set) else {
            return try write(FormerKey(entryId: row.entryId ?? 0).text, to: row)
        }
        try write(key.text, to: row)
    }

    /// Gives a row the key of its entity. It stays as it is if a row with local changes has that.
    ///
    /// - Returns: The clean row of the same entity that it has replaced; nil without one.
    func give(_ key: String, to row: JSONObject) throws(Fault) -> JSONObject? {
        let others = try rows.rows(where: RowMember.key, is: .text(key))
        guard !others.contains(where: { LocalFlags(of: $0).isDirty }) else { return nil }
        var replaced: JSONObject?
        for other in others {
            if hasPresentKey(other) {
                replaced = other
                try client.store.remove(ids: [other.entryId ?? 0], from: set.soup)
            } else {
                try park(other, known: other.properties(of: set))
            }
        }
        try write(key, to: row)
        return replaced
    }

    /// Writes a key to a row, and to the version that its changes started from.
    private func write(_ key: String, to row: JSONObject) throws(Fault) {
        if var base = try originals.original(of: row.entryId ?? 0) {
            base = withParts(of: key, base)
            base["_soupEntryId"] = row["_soupEntryId"]
            base[RowMember.key] = .string(key)
            try originals.keep(base, keyField: RowMember.key)
        }
        var row = withParts(of: key, row)
        row[RowMember.key] = .string(key)
        if row[ReservedField.lastError]?.string == JSONValue.object(ServiceRefusal.keyUnknown).text() {
            row[ReservedField.lastError] = nil
        }
        _ = try rows.write(row)
    }

    /// Properties with those of a key.
    private func withParts(of key: String, _ row: JSONObject) -> JSONObject {
        guard !LocalId.isLocal(key), !FormerKey.isFormer(key) else { return row }
        var parts: [(String, JSONValue)] = []
        for name in set.key where name.segments.count == 1 {
            if let part = KeyReplacement.part(name, of: key, set), !set.areSame(row[name], part, at: name) {
                parts.append((name, part))
            }
        }
        return row.settingLocal(JSONObject(parts))
    }
}
