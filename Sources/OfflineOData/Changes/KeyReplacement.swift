import JSONText
import LocalChanges
import OData
import OfflineStore
import Soups

/// Puts the key of an entity in place of its former one wherever rows refer to it. Every call is inside a transaction of
/// the caller.
struct KeyReplacement {
    let store: SmartStore
    let map: EntitySetMap

    /// Replaces a key in the foreign keys of all mapped soups and in their originals.
    ///
    /// - Parameters:
    ///   - old: The local id, or the key text.
    ///   - new: The key text, or a local id.
    func replace(_ old: String, by new: String, of set: MappedEntitySet) throws(Fault) {
        for reference in map.references(toPrincipal: set.name) {
            guard let dependent = map.find(reference.dependent) else { continue }
            for (index, path) in reference.foreignKey.enumerated() {
                let name = index < reference.principalKey.count ? reference.principalKey[index] : ""
                guard let from = Self.part(name, of: old, set), let to = Self.part(name, of: new, set) else { continue }
                try replace(from, by: to, at: path, in: dependent)
            }
        }
    }

    /// Replaces a key in properties of a row of the same set, which may refer to another one or to itself.
    func replacing(_ old: String, by new: String, of set: MappedEntitySet, in properties: JSONObject) -> JSONObject {
        var result = properties
        for reference in map.references(toPrincipal: set.name)
        where ByteKey(reference.dependent) == ByteKey(set.name) {
            for (path, name) in zip(reference.foreignKey, reference.principalKey) {
                guard let from = Self.part(name, of: old, set), let to = Self.part(name, of: new, set),
                    result.value(at: path) == from
                else { continue }
                result = result.setting(to, at: path)
            }
        }
        return result
    }

    private func replace(
        _ old: JSONValue, by new: JSONValue, at path: String, in set: MappedEntitySet
    ) throws(Fault) {
        guard try store.hasIndex(forPath: path, inSoup: set.soup) else { return }
        let rows = SoupRows(store, soup: set.soup)
        let originals = Originals(store, soup: set.soup)
        for row in try rows.rows(where: path, is: old.sqlValue) where row.value(at: path) == old {
            let changed = try rows.write(row.setting(new, at: path))
            guard let entryId = changed.entryId, let original = try originals.original(of: entryId),
                original.value(at: path) == old
            else { continue }
            try originals.keep(original.setting(new, at: path), keyField: RowMember.key)
        }
    }

    /// The value that a foreign key has for one property of a key: the local id itself for an entity without a key.
    static func part(_ name: String, of key: String, _ set: MappedEntitySet) -> JSONValue? {
        if LocalId.isLocal(key) {
            return .string(key)
        }
        guard let value = StoredKey.value(ofText: key) else { return nil }
        guard let parts = value.object else {
            return set.key.first.map { ByteKey($0.replacingSlashes) } == ByteKey(name) ? value : nil
        }
        return parts.members.first { ByteKey($0.name.replacingSlashes) == ByteKey(name) }?.value
    }
}

extension JSONValue {
    /// The value as a key of an index.
    var sqlValue: SQLValue {
        switch self {
        case .null, .array, .object: .null
        case .bool(let flag): .integer(flag ? 1 : 0)
        case .number(let number): number.int64.map(SQLValue.integer) ?? .real(number.double)
        case .string(let text): .text(text)
        }
    }
}
