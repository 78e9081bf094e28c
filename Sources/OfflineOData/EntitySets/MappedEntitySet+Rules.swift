import JSONText
import LocalChanges
import OData
import Soups

extension MappedEntitySet {
    /// The set as its rules are for a row: with the type of its entity, where that is derived from the type of the set.
    func forRow(_ row: JSONObject) -> MappedEntitySet {
        guard let model, let declared = entityType, let type = row.control["type"]?.string,
            model.type(type, isOrDerivesFrom: declared)
        else { return self }
        var set = self
        set.entityType = type
        return set
    }

    /// The name as a segment of a URL. Names may have letters beyond ASCII.
    var urlSegment: String { name.percentEncoded { $0.isUnreserved } }

    /// Whether a path of a foreign key, with dots, is that of a key property too.
    func isPartOfKey(_ path: String) -> Bool { key.contains { ByteKey($0.replacingSlashes) == ByteKey(path) } }

    /// Whether the service computes a property, so that it is never sent; in an update also what it does not let
    /// clients change.
    func isReadOnly(_ name: String, isInsert: Bool) -> Bool {
        if isLocalOnly(name) {
            return true
        }
        guard let model, let entityType, let property = model.property(name, of: entityType) else {
            return false
        }
        if isComputed(property) {
            return true
        }
        return !isInsert && hasTerm("Immutable", property)
    }

    /// Whether a property is a foreign key that a link can set.
    func isLinked(_ name: String) -> Bool {
        references.contains { $0.navigation != nil && $0.foreignKey.contains { ByteKey($0) == ByteKey(name) } }
    }

    /// Whether the service fills in a property when it creates an entity.
    private func isComputed(_ property: EdmProperty) -> Bool {
        property.storeGeneratedPattern == "Computed" || property.type.primitiveType == .stream
            || property.storeGeneratedPattern == "Identity" && !isKey(property.name)
            || hasTerm("Computed", property)
    }

    /// Whether the service makes the key of new entities.
    var givesKeys: Bool {
        guard let model, let entityType else { return false }
        return key.contains { name in
            guard let property = model.property(name, of: entityType) else { return false }
            return property.storeGeneratedPattern == "Identity" || isComputed(property)
        }
    }

    /// The only key property, if it is a Guid or a String.
    var generatedKey: (name: String, isGuid: Bool)? {
        guard key.count == 1 else { return nil }
        guard let model, let entityType else {
            return (key[0], false)
        }
        switch model.property(key[0], of: entityType)?.type.primitiveType {
        case .guid?: return (key[0], true)
        case .string?: return (key[0], false)
        default: return nil
        }
    }

    /// The properties of a new entity: with a key where the client makes keys and the entity has none.
    func makingKey(_ properties: JSONObject, from uuids: UUIDSource) -> JSONObject {
        guard settings.makesKeys, let generated = generatedKey, StoredKey.value(of: properties, self) == nil else {
            return properties
        }
        return properties.merging(JSONObject([(generated.name, .string(UUIDText.dashed(uuids.next())))]))
    }

    private func hasTerm(_ term: String, _ property: EdmProperty) -> Bool {
        guard let model, let entityType else { return false }
        let types = model.inheritance(of: entityType).map(\.name)
        return model.schemas.contains { schema in
            schema.annotations.contains { annotation in
                guard annotation.term == "Org.OData.Core.V1." + term || annotation.term == "Core." + term,
                    annotation.value.text != "false"
                else { return false }
                let target = annotation.target
                return target.endsWithBytes(of: "/" + property.name)
                    && types.contains { target.endsWithBytes(of: "." + $0 + "/" + property.name) }
            }
        }
    }
}
