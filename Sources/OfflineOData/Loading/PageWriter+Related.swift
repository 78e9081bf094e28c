import JSONText
import LocalChanges
import Soups

extension PageWriter {
    /// Saves the entity that a navigation property leads to, and fills in the foreign key.
    func savePrincipal(
        _ related: ArrivedEntity.Related, of entity: inout ArrivedEntity, _ expansion: LoadExpansion?
    ) throws(Fault) {
        for principal in related.entities {
            try save(
                principal, of: related.set, isPartial: isPartial(principal, of: related.set, expansion),
                expansion?.below ?? LoadExpansions())
            entity.properties = Self.filling(
                entity.properties, related.reference, principal: principal.key, related.set)
        }
    }

    func saveDependents(
        _ related: ArrivedEntity.Related, of entity: ArrivedEntity, _ expansion: LoadExpansion?
    ) throws(Fault) {
        try buffer(related.set).prepare(related.entities.map(\.key))
        for given in related.entities {
            guard !given.isDeleted else {
                try detach(given, related.reference, related.set, principal: entity.key)
                continue
            }
            var dependent = given
            dependent.properties = Self.filling(
                given.properties, related.reference, principal: entity.key, owner(of: related.reference))
            try save(
                dependent, of: related.set, isPartial: isPartial(dependent, of: related.set, expansion),
                expansion?.below ?? LoadExpansions())
            expandedBy[ByteKey(related.set.name), default: [:]][ByteKey(dependent.key)] =
                related.reference.foreignKey.map { ByteKey($0) }
        }
        guard expansion?.isWhole == true, !related.isDelta else { return }
        let listed = Set(related.entities.map { ByteKey($0.key) })
        for row in try dependents(of: entity.key, related.reference) where !listed.contains(ByteKey(row.keyText)) {
            unlisted[SavedKeys.name(row.keyText, related.set.name)] = row
            try remove(row.keyText, of: related.set, mayReturn: true)
        }
    }

    /// Whether an expanded entity came with some of its properties, so that it is merged into its row. Without a model
    /// only the query can tell.
    private func isPartial(
        _ entity: ArrivedEntity, of set: MappedEntitySet, _ expansion: LoadExpansion?
    ) -> Bool {
        expansion?.isPartial == true || mayLackUnchanged
            || set.model != nil && form(set).lacksProperties(entity)
    }

    private func owner(of reference: EntityReference) -> MappedEntitySet { map.find(reference.principal) ?? set }

    /// The entity that a nested delta removes from a relation: gone, or only the relation.
    private func detach(
        _ entity: ArrivedEntity, _ reference: EntityReference, _ set: MappedEntitySet, principal: String
    ) throws(Fault) {
        guard entity.deletion == "changed" else {
            return try remove(entity.key, of: set)
        }
        try LinkApplication(writer: self).unlink(
            reference, dependent: entity.key, principal: principal)
    }

    /// Fills the foreign key of a dependent entity where the payload lacks it.
    private static func filling(
        _ properties: JSONObject, _ reference: EntityReference, principal: String, _ set: MappedEntitySet
    ) -> JSONObject {
        var result = properties
        for (path, name) in zip(reference.foreignKey, reference.principalKey)
        where result.value(at: path) == nil {
            if let value = KeyReplacement.part(name, of: principal, set) {
                result = result.setting(value, at: path)
            }
        }
        return result
    }

    /// The clean rows that refer to an entity, after what the page has changed so far.
    ///
    /// - Parameter withArrived: Whether rows that the page has brought count too. The store does not find them by what
    ///   they have now.
    func dependents(
        of key: String, _ reference: EntityReference, withArrived: Bool = false
    ) throws(Fault) -> [JSONObject] {
        guard let dependent = map.find(reference.dependent), let path = reference.foreignKey.first,
            try SoupRows(store, soup: dependent.soup).canFind(by: path)
        else { return [] }
        let owner = owner(of: reference)
        let parts = zip(reference.foreignKey, reference.principalKey).map { path, name in
            (path, KeyReplacement.part(name, of: key, owner))
        }
        guard let first = parts.first?.1 else { return [] }
        let stored = try dependent.rows(store, mayHave: first, at: path)
        var keys = stored.filter { !LocalFlags(of: $0).isDirty }.map(\.keyText)
        let buffer = buffer(dependent)
        if withArrived {
            var known = Set(keys.map { ByteKey($0) })
            keys += try buffer.putKeys(where: path, is: dependent.indexed(first, at: path)).filter {
                known.insert(ByteKey($0)).inserted
            }
        }
        try buffer.prepare(keys)
        var found: [JSONObject] = []
        for key in keys {
            if let row = try buffer.row(key), !LocalFlags(of: row).isDirty, reference.isOwned(by: row),
                parts.allSatisfy({ dependent.areSame(row.value(at: $0.0), $0.1, at: $0.0) })
            {
                found.append(row)
            }
        }
        return found
    }
}
