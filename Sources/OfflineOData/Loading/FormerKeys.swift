import JSONText
import LocalChanges
import OfflineStore
import Soups

/// Rows with local changes that have kept their former keys while their set is loaded again under another key: they
/// were loaded without a part of the new one. The entity that arrives with the former key is theirs.
struct FormerKeys: Sendable {
    private let store: SmartStore
    private let set: MappedEntitySet
    /// The names of the former key.
    private let names: [String]
    /// The key texts by what the rows have at these names.
    private var texts: [[SQLValue]: String] = [:]

    /// Reads the rows; nil if there are none.
    init?(_ client: ODataClient, _ set: MappedEntitySet) throws(Fault) {
        store = client.store
        self.set = set
        let names = try client.registry.formerKey(of: set)
        self.names = names
        guard !names.isEmpty, !set.isSingleton else { return nil }
        var texts: [[SQLValue]: String] = [:]
        try client.readChangedRows(of: set) { (page) throws(Fault) in
            for changed in page where !changed.flags.isCreated {
                let known = changed.base?.properties(of: set) ?? changed.mine
                let hasNewKey = StoredKey.value(of: known, set) != nil
                if !hasNewKey, let parts = Self.parts(of: known, names, set) {
                    texts[parts] = changed.row.keyText
                }
            }
        }
        guard !texts.isEmpty else { return nil }
        self.texts = texts
    }

    private static func parts(of properties: JSONObject, _ names: [String], _ set: MappedEntitySet) -> [SQLValue]? {
        var parts: [SQLValue] = []
        for name in names.map(\.replacingSlashes) {
            guard let part = properties.value(at: name), !part.isNull else { return nil }
            parts.append(set.indexed(part, at: name))
        }
        return parts
    }

    /// The former key of the row that an entity belongs to; nil if it is not one of these.
    func text(for entity: ArrivedEntity) -> String? {
        guard entity.deletion == nil, let parts = Self.parts(of: entity.properties, names, set) else { return nil }
        return texts[parts]
    }

    /// Gives a row the key of its entity, with the version that its changes started from. It keeps its former key if
    /// another row with local changes has that of the entity; a clean one goes, for the load brings its entity again.
    /// Part of the caller's transaction, which has no rows of the set in memory.
    func give(_ key: String, toRowOf former: String) throws(Fault) {
        let rows = SoupRows(store, soup: set.soup)
        guard let row = try rows.rows(where: RowMember.key, is: .text(former)).first, LocalFlags(of: row).isDirty
        else { return }
        let others = try rows.rows(where: RowMember.key, is: .text(key))
        guard !others.contains(where: { LocalFlags(of: $0).isDirty }) else { return }
        let clean = others.compactMap(\.entryId)
        if !clean.isEmpty {
            try store.remove(ids: clean, from: set.soup)
        }
        _ = try rows.write(withKey(key, row))
        let originals = Originals(store, soup: set.soup)
        guard let id = row["_soupEntryId"], var base = try originals.original(of: row.entryId ?? 0) else { return }
        base = withKey(key, base)
        base["_soupEntryId"] = id
        try originals.keep(base, keyField: RowMember.key)
    }

    /// A row with a key and the properties that it consists of.
    private func withKey(_ key: String, _ row: JSONObject) -> JSONObject {
        var parts: [(String, JSONValue)] = []
        for name in set.key where name.segments.count == 1 && row[name]?.isNull ?? true {
            if let part = KeyReplacement.part(name, of: key, set) {
                parts.append((name, part))
            }
        }
        var row = row.settingLocal(JSONObject(parts))
        row[RowMember.key] = .string(key)
        return row
    }
}
