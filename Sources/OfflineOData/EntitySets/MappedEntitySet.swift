import OData
public import Soups

/// An entity set or singleton of a service, and the soup in which its entities are kept.
public struct MappedEntitySet: Sendable {
    /// The name of the set.
    public let name: String
    /// The name of the soup.
    public let soup: String
    /// The qualified name of the type of the entities; nil without a model.
    public internal(set) var entityType: String?
    /// The key properties, in the order of the model: names, or paths such as `Info/Id`. A singleton has none.
    public let key: [String]
    /// The names of the key properties in URLs: an alias where the model gives one to a path.
    let keyNames: [String]
    /// Whether the service has one entity under the name.
    public let isSingleton: Bool
    /// How the set is kept and exchanged.
    public let settings: EntitySetSettings
    /// The indexes of the soup.
    public internal(set) var indexSpecs: [IndexSpec] = []
    /// The relations to rows of other soups, for `$expand`.
    public internal(set) var relations: [SoupRelation] = []

    /// The foreign keys of the entities.
    var references: [EntityReference] = []

    let model: EdmModel?

    /// What the model declares for the type of the set; nil if that is not known.
    private(set) var declared: DeclaredMembers?

    /// Looks up what the model declares, once the set is complete.
    mutating func declareMembers() {
        declared = model.flatMap { model in entityType.map { DeclaredMembers(of: $0, in: model, self) } }
    }

    /// The type of an entity: the one that it states, or that of the set if it states none. A service may also state a
    /// derived type that the metadata does not have yet: then that of the set is what is known of the entity.
    func knownType(_ stated: String?) -> String? {
        guard let stated, let model else { return stated ?? entityType }
        return model.structuredType(stated) == nil ? entityType : stated
    }

    /// What the model declares for a type, which is mostly that of the set; nil without a model.
    func members(ofType type: String) -> DeclaredMembers? {
        let type = knownType(type) ?? type
        if let declared, ByteKey(declared.type) == ByteKey(type) {
            return declared
        }
        return model.map { DeclaredMembers(of: type, in: $0, self) }
    }

    /// The types of the key properties, where they are known.
    var keyTypes: [String?] {
        key.map { name in
            entityType.flatMap { type in
                model?.property(along: name.segments, of: type)?.type.text
            }
        }
    }

    /// Whether a name is that of a navigation property.
    ///
    /// - Parameter type: The type of the entity, if it is not that of the set.
    func hasNavigation(_ name: String, ofType type: String?) -> Bool {
        guard let type = knownType(type) else { return false }
        if let declared, ByteKey(declared.type) == ByteKey(type) {
            return declared.hasNavigation(name)
        }
        return model?.navigation(name, of: type) != nil
    }

    /// Whether entities may have a property of a name, by the type of the set and those derived from it; true if that
    /// is not known.
    func mayHave(_ name: String) -> Bool {
        guard let model, let entityType, !model.isOpen(entityType) else { return true }
        return model.schemas.contains { schema in
            schema.entityTypes.contains { type in
                let derived = schema.namespace + "." + type.name
                return model.type(derived, isOrDerivesFrom: entityType)
                    && (model.isOpen(derived) || model.property(name, of: derived) != nil)
            }
        }
    }

    func isKey(_ name: String) -> Bool { key.contains { ByteKey($0) == ByteKey(name) } }
    func isLocalOnly(_ name: String) -> Bool { settings.localOnly.contains { ByteKey($0) == ByteKey(name) } }
}
