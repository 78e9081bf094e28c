import JSONText
import Soups

extension EntitySetMap {
    /// The relations of a set, by which `$expand` finds related rows: those of the caller first, then those of foreign
    /// keys.
    ///
    /// Throws `invalidArguments` for a relation whose keys have different numbers of parts.
    func relations(of set: MappedEntitySet) throws(Fault) -> [SoupRelation] {
        var relations = set.settings.relations
        for relation in relations where relation.local.isEmpty || relation.local.count != relation.foreign.count {
            throw Fault(
                .invalidArguments, "the relation \(relation.name) needs as many local as foreign key properties")
        }
        func add(_ relation: SoupRelation) {
            guard !relations.contains(where: { ByteKey($0.name) == ByteKey(relation.name) }) else { return }
            relations.append(relation)
        }
        for reference in references {
            if ByteKey(reference.dependent) == ByteKey(set.name), let name = reference.navigation,
                let principal = find(reference.principal)
            {
                add(
                    SoupRelation(
                        name, soup: principal.soup, local: reference.foreignKey, foreign: reference.principalKey,
                        isCollection: false, localTypes: reference.owners))
            }
            if ByteKey(reference.principal) == ByteKey(set.name), let name = reference.inverse,
                let dependent = find(reference.dependent)
            {
                add(
                    SoupRelation(
                        name, soup: dependent.soup, local: reference.principalKey, foreign: reference.foreignKey,
                        isCollection: reference.isCollection, foreignTypes: reference.owners))
            }
        }
        return relations
    }

    /// The foreign keys of the entities of a set.
    func references(ofDependent name: String) -> [EntityReference] {
        references.filter { ByteKey($0.dependent) == ByteKey(name) }
    }

    /// The foreign keys that name entities of a set.
    func references(toPrincipal name: String) -> [EntityReference] {
        references.filter { ByteKey($0.principal) == ByteKey(name) }
    }

    /// Whether a property of a set is a foreign key.
    func isForeignKey(_ name: String, of set: MappedEntitySet) -> Bool {
        references(ofDependent: set.name).contains { reference in
            reference.foreignKey.contains { ByteKey($0) == ByteKey(name) }
        }
    }

    /// The properties of a new entity whose key the service gives: without that key, but with the parts of it that
    /// refer to other entities.
    func withoutGivenKey(_ properties: JSONObject, of set: MappedEntitySet) -> JSONObject {
        properties.removing { set.isKey($0) && !isForeignKey($0, of: set) }
    }
}
