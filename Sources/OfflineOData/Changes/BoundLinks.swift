import JSONText
import LocalChanges
import Soups

/// Reads the links that a row binds as the foreign keys that the service will have, so that they can be compared with
/// those that arrive.
struct BoundLinks {
    let set: MappedEntitySet
    let reading: EntityReading

    /// Properties with foreign keys in place of the links that bind them.
    ///
    /// A link stays if its URL names an entity of another service or of a set that is not mapped, or if no foreign key
    /// belongs to it.
    func asForeignKeys(_ properties: JSONObject) -> JSONObject {
        var result = properties
        for (name, target) in properties.members where name.isBinding {
            guard let reference = reference(of: name), let values = values(of: target, reference) else { continue }
            result[name] = nil
            for (path, value) in zip(reference.foreignKey, values) {
                result = result.setting(value, at: path)
            }
        }
        return result
    }

    /// The paths of the foreign key that belongs to a link; nil for other members and for links without a foreign key.
    func foreignKey(of name: String) -> [String]? { name.isBinding ? reference(of: name)?.foreignKey : nil }

    private func reference(of name: String) -> EntityReference? {
        set.references.first { reference in
            reference.navigation.map { ByteKey($0) == ByteKey(name.boundNavigation) } ?? false
        }
    }

    /// The values of a foreign key that names the entity of a URL; nulls for a link to nothing.
    private func values(of target: JSONValue, _ reference: EntityReference) -> [JSONValue]? {
        guard !target.isNull else {
            return reference.foreignKey.map { _ in .null }
        }
        guard let url = target.string, isOfService(url), let named = reading.reference(inURL: url),
            ByteKey(named.set.name) == ByteKey(reference.principal)
        else { return nil }
        let values = reference.principalKey.compactMap { KeyReplacement.part($0, of: named.key, named.set) }
        return values.count == reference.foreignKey.count ? values : nil
    }

    /// Whether a URL is relative, or begins with the root of the service.
    private func isOfService(_ url: String) -> Bool {
        !url.contains("://") || url.utf8.starts(with: reading.serviceRoot.utf8)
    }
}
