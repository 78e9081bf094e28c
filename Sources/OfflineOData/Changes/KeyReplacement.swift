import JSONText
import LocalChanges
import OData
import OfflineStore
import Soups

/// Puts the key of an entity in place of its former one wherever rows refer to it. Every call is inside a transaction
/// of the caller.
struct KeyReplacement {
    let store: SmartStore
    let map: EntitySetMap

    /// Replaces a key in the foreign keys of all mapped soups, and a local id in their originals too.
    ///
    /// The service does not know local ids. A key it may know: rows with it become changed rows, so that the service
    /// gets the new one.
    ///
    /// - Parameters:
    ///   - old: The local id, or the key text.
    ///   - new: The key text, or a local id.
    func replace(_ old: String, by new: String, of set: MappedEntitySet) throws(Fault) {
        for reference in map.references(toPrincipal: set.name) {
            guard let dependent = map.find(reference.dependent) else { continue }
            let isSame = ByteKey(dependent.name) == ByteKey(set.name)
            for parts in Self.parts(of: reference, old, new, set) {
                let rows = try referringRows(parts, by: reference, in: dependent)
                if LocalId.isLocal(old) {
                    try replace(parts, in: rows, of: dependent)
                } else {
                    try change(parts, in: rows, of: dependent, except: isSame ? old : nil)
                }
            }
        }
    }

    /// Replaces a key in properties of a row of the same set, which may refer to another one or to itself.
    func replacing(_ old: String, by new: String, of set: MappedEntitySet, in properties: JSONObject) -> JSONObject {
        var result = properties
        for reference in map.references(toPrincipal: set.name)
        where ByteKey(reference.dependent) == ByteKey(set.name) {
            for parts in Self.parts(of: reference, old, new, set) where Self.isThere(parts, in: result, set) {
                result = Self.replacing(parts, in: result)
            }
        }
        return result
    }

    /// One part of a foreign key, with the value that it has and the one that it gets.
    private struct Part {
        let path: String
        let old: JSONValue
        let new: JSONValue
    }

    /// The parts of a foreign key that are replaced together. A key is only there if all of its parts are; a local id
    /// may be next to parts that are known.
    private static func parts(
        of reference: EntityReference, _ old: String, _ new: String, _ set: MappedEntitySet
    ) -> [[Part]] {
        let parts = zip(reference.foreignKey, reference.principalKey).compactMap { path, name -> Part? in
            guard let from = part(name, of: old, set), let to = part(name, of: new, set) else { return nil }
            return Part(path: path, old: from, new: to)
        }
        return LocalId.isLocal(old) ? parts.map { [$0] } : [parts]
    }

    private static func isThere(_ parts: [Part], in row: JSONObject, _ set: MappedEntitySet) -> Bool {
        parts.allSatisfy { set.areSame(row.value(at: $0.path), $0.old, at: $0.path) }
    }

    private static func replacing(_ parts: [Part], in row: JSONObject) -> JSONObject {
        parts.reduce(row) { $0.setting($1.new, at: $1.path) }
    }

    /// The rows of a set that refer to an entity; empty if they cannot be found or the app has removed the soup.
    private func referringRows(
        _ parts: [Part], by reference: EntityReference, in set: MappedEntitySet
    ) throws(Fault) -> [JSONObject] {
        guard let first = parts.first else { return [] }
        return try candidates(first, in: set).filter { row in
            reference.isOwned(by: row) && Self.isThere(parts, in: row, set)
        }
    }

    /// The rows of a set that may have a part of a foreign key.
    ///
    /// A soup that is older than the relation has no index on the foreign key, and one of numbers does not have local
    /// ids. These are found all the same: only changed rows have them.
    private func candidates(_ part: Part, in set: MappedEntitySet) throws(Fault) -> [JSONObject] {
        let rows = SoupRows(store, soup: set.soup)
        guard let id = part.old.string, LocalId.isLocal(id) else {
            return try rows.canFind(by: part.path) ? try set.rows(store, mayHave: part.old, at: part.path) : []
        }
        if try rows.canFindTexts(by: part.path) {
            return try rows.rows(where: part.path, is: .text(id))
        }
        return try rows.canFind(by: ReservedField.local) ? try rows.changedRows(naming: id) : []
    }

    /// Changes the rows that have a foreign key. What is a part of the key of an entity that exists stays: a row
    /// follows with the rest of its foreign key, or not at all.
    ///
    /// - Parameter own: The key of the entity itself, whose row the caller writes.
    private func change(
        _ parts: [Part], in rows: [JSONObject], of set: MappedEntitySet, except own: String?
    ) throws(Fault) {
        let fixed = parts.filter { set.isPartOfKey($0.path) }
        let free = parts.filter { !set.isPartOfKey($0.path) }
        let canFollow =
            !free.isEmpty && fixed.allSatisfy { $0.old == $0.new || LocalId.isLocal($0.new.string ?? "") }
        for row in rows where own.map({ ByteKey($0) }) != ByteKey(row.keyText) {
            var flags = LocalFlags(of: row)
            guard flags.isCreated || canFollow else { continue }
            var changed = Self.replacing(flags.isCreated ? parts : free, in: row)
            if !flags.isDirty {
                try Originals(store, soup: set.soup).keep(row, keyField: RowMember.key)
                flags.isUpdated = true
                flags.write(to: &changed)
            }
            _ = try SoupRows(store, soup: set.soup).write(changed)
        }
    }

    private func replace(_ parts: [Part], in found: [JSONObject], of set: MappedEntitySet) throws(Fault) {
        let rows = SoupRows(store, soup: set.soup)
        let originals = Originals(store, soup: set.soup)
        for row in found {
            let changed = try rows.write(Self.replacing(parts, in: row))
            guard let entryId = changed.entryId, let original = try originals.original(of: entryId),
                Self.isThere(parts, in: original, set)
            else { continue }
            try originals.keep(Self.replacing(parts, in: original), keyField: RowMember.key)
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
        let named = zip(set.key, set.keyNames).first { ByteKey($0.0.replacingSlashes) == ByteKey(name) }?.1
        return named.flatMap { parts[$0] }
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
