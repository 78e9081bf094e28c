import Soups

/// Holds the whole metadata of a service and answers questions about it; names are compared by their bytes.
///
/// A plain value: whoever reads CSDL fills the schemas and makes a model of them. Look-ups take constant time, members
/// of a structured type time in the length of its chain of base types, which is followed at most 64 types deep.
public struct EdmModel: Sendable {
    /// In the order of the document.
    public let schemas: [EdmSchema]
    private var namespaceOfAlias: [ByteKey: String] = [:]
    private var structuredTypes: [ByteKey: (schema: Int, place: Int, kind: EdmStructuredType.Kind)] = [:]
    private var enumTypes: [ByteKey: (schema: Int, place: Int)] = [:]
    private var definitions: [ByteKey: (schema: Int, place: Int)] = [:]

    static let maximumInheritance = 64

    /// Indexes the schemas. Of two declarations with one name the first counts; a reader of CSDL refuses them before.
    public init(schemas: [EdmSchema]) {
        self.schemas = schemas
        for (index, schema) in schemas.enumerated() {
            if let alias = schema.alias {
                namespaceOfAlias[ByteKey(alias)] = schema.namespace
            }
            func key(_ name: String) -> ByteKey { ByteKey(schema.namespace + "." + name) }
            for (place, type) in schema.entityTypes.enumerated() where structuredTypes[key(type.name)] == nil {
                structuredTypes[key(type.name)] = (index, place, .entity)
            }
            for (place, type) in schema.complexTypes.enumerated() where structuredTypes[key(type.name)] == nil {
                structuredTypes[key(type.name)] = (index, place, .complex)
            }
            for (place, type) in schema.enumTypes.enumerated() where enumTypes[key(type.name)] == nil {
                enumTypes[key(type.name)] = (index, place)
            }
            for (place, type) in schema.typeDefinitions.enumerated() where definitions[key(type.name)] == nil {
                definitions[key(type.name)] = (index, place)
            }
        }
    }

    /// Writes the namespace for an alias in front of a qualified name; other names stay.
    public func resolve(_ name: String) -> String {
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
            let namespace = namespaceOfAlias[ByteKey(String(name[..<dot]))]
        else {
            return name
        }
        return namespace + name[dot...]
    }

    /// Finds an entity or complex type by its qualified name, by namespace or alias.
    public func structuredType(_ name: String) -> EdmStructuredType? {
        guard let found = structuredTypes[ByteKey(name)] ?? structuredTypes[ByteKey(resolve(name))] else {
            return nil
        }
        return found.kind == .entity
            ? schemas[found.schema].entityTypes[found.place] : schemas[found.schema].complexTypes[found.place]
    }

    /// Finds an enumeration by its qualified name, by namespace or alias.
    public func enumType(_ name: String) -> EdmEnumType? {
        (enumTypes[ByteKey(name)] ?? enumTypes[ByteKey(resolve(name))]).map { schemas[$0.schema].enumTypes[$0.place] }
    }

    /// Finds a type definition by its qualified name, by namespace or alias.
    public func typeDefinition(_ name: String) -> EdmTypeDefinition? {
        (definitions[ByteKey(name)] ?? definitions[ByteKey(resolve(name))]).map {
            schemas[$0.schema].typeDefinitions[$0.place]
        }
    }

    /// Follows the types from the named one to its root, the named one first; empty for an unknown name.
    public func inheritance(of name: String) -> [EdmStructuredType] {
        var chain: [EdmStructuredType] = []
        var next: String? = name
        while let current = next, chain.count < Self.maximumInheritance, let type = structuredType(current) {
            chain.append(type)
            next = type.baseType
        }
        return chain
    }

    /// Tells whether the first type is the second or derived from it.
    public func type(_ name: String, isOrDerivesFrom base: String) -> Bool {
        let wanted = resolve(base)
        var current = resolve(name)
        for _ in 0..<Self.maximumInheritance {
            if current.utf8.elementsEqual(wanted.utf8) {
                return true
            }
            guard let parent = structuredType(current)?.baseType else { return false }
            current = resolve(parent)
        }
        return false
    }

    /// Finds a structural property, inherited ones too.
    public func property(_ name: String, of type: String) -> EdmProperty? {
        for level in inheritance(of: type) {
            if let found = level.properties.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                return found
            }
        }
        return nil
    }

    /// Finds a navigation property, inherited ones too.
    public func navigation(_ name: String, of type: String) -> EdmNavigationProperty? {
        for level in inheritance(of: type) {
            if let found = level.navigation.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                return found
            }
        }
        return nil
    }

    /// Gives the key of an entity type, inherited from its root where it has none itself.
    public func key(of type: String) -> [EdmStructuredType.KeyPart] {
        inheritance(of: type).first { !$0.key.isEmpty }?.key ?? []
    }

    /// Tells whether a type, or one that it is derived from, takes properties that are not declared.
    public func isOpen(_ type: String) -> Bool { inheritance(of: type).contains { $0.isOpen } }

    /// Lists all structural properties, those of the root type first.
    public func properties(of type: String) -> [EdmProperty] { inheritance(of: type).reversed().flatMap(\.properties) }

    /// Lists all navigation properties, those of the root type first.
    public func navigation(of type: String) -> [EdmNavigationProperty] {
        inheritance(of: type).reversed().flatMap(\.navigation)
    }

    /// Finds an entity set in any container, the default container first.
    public func entitySet(_ name: String) -> EdmContainer.EntitySet? {
        let containers = schemas.flatMap(\.containers)
        for container in containers.filter(\.isDefault) + containers.filter({ !$0.isDefault }) {
            if let found = container.entitySets.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                return found
            }
        }
        return nil
    }

    /// Lists all overloads of a function, by qualified name.
    public func functions(_ name: String) -> [EdmOperation] {
        let name = resolve(name)
        return schemas.flatMap { schema in
            schema.functions.filter { (schema.namespace + "." + $0.name).utf8.elementsEqual(name.utf8) }
        }
    }
}
