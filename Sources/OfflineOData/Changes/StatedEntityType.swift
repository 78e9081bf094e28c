import JSONText
import LocalChanges
import OData
import Soups

/// The type that an edit states for its entity, as `@odata.type` or `@type`: the type of the set or one that is derived
/// from it.
struct StatedEntityType {
    /// The properties of the edit, without the annotation.
    let properties: JSONObject
    private let set: MappedEntitySet
    /// The name of the annotation, and the qualified name of the type; nil if the edit does not state a type.
    private let stated: (name: String, type: String)?

    /// Throws `invalidEntry` for what is not a type of the set.
    init(_ edit: JSONObject, of set: MappedEntitySet) throws(Fault) {
        self.set = set
        properties = edit.removing { Self.names.contains($0) }
        guard let name = Self.names.first(where: { edit[$0] != nil }) else {
            stated = nil
            return
        }
        guard let text = edit[name]?.string, properties.count == edit.count - 1 else {
            throw Self.invalid("the type of an entity is stated once, as a text like #Namespace.Name", name, set)
        }
        let type = Self.typeName(text)
        guard let model = set.model, let declared = set.entityType else {
            stated = (name, type)
            return
        }
        guard model.structuredType(type) != nil, model.type(type, isOrDerivesFrom: declared) else {
            throw Self.invalid(
                "the type is neither that of the entity set nor derived from it; state one of these", name, set)
        }
        stated = (name, model.resolve(type))
    }

    /// The row with the type as control information, unless it is that of the set.
    func row(_ properties: JSONObject) -> JSONObject {
        guard let stated, stated.type != set.entityType else { return properties }
        return properties.with(control: ["type": .string(stated.type)])
    }

    /// Throws `invalidEntry` if an edit states another type than that of the row. A service does not let entities
    /// change it.
    func requireType(of row: JSONObject) throws(Fault) {
        guard let stated else { return }
        let type = row.control["type"]?.string ?? set.entityType
        guard type.map({ ByteKey($0) }) != ByteKey(stated.type) else { return }
        throw Self.invalid("the type of an entity cannot be changed; leave it out", stated.name, set)
    }

    /// The type that an object inside an edit states; nil without one.
    static func typeName(in object: JSONObject) -> String? {
        names.lazy.compactMap { object[$0]?.string }.first.map(typeName)
    }

    private static func typeName(_ text: String) -> String { String(text.drop { $0 == "#" }) }

    private static let names = ["@odata.type", "@type"]

    private static func invalid(_ message: String, _ name: String, _ set: MappedEntitySet) -> Fault {
        Fault(.invalidEntry, message, context: [.soup(set.soup), .path(name)])
    }
}
