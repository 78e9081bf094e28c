public import Soups

/// The metadata of a service. Names are compared by their bytes.
///
/// ```swift
/// let model = try EdmModel(csdl: metadata)
/// let key = model.key(of: "Shop.Item").map(\.path)
/// let price = model.property("Price", of: "Shop.Item")?.type.primitiveType
/// try ODataURL(parsing: "Items?$filter=Price gt 3").check(against: model)
/// ```
///
/// A model is a plain value that is created from schemas. Types are found in constant time. Members of a structured
/// type are found in time proportional to its chain of base types, which is followed up to 64 types deep.
public struct EdmModel: Sendable {
    /// The schemas in the order of the document.
    public let schemas: [EdmSchema]
    /// What the document has against the specification, but was read: keys of derived types whose base type has a key.
    /// They are faults with the offset of the element, in the order of the document.
    public internal(set) var warnings: [Fault] = []
    private var namespaceOfAlias: [ByteKey: String] = [:]
    private var structuredTypes: [ByteKey: (schema: Int, position: Int, kind: EdmStructuredType.Kind)] = [:]
    /// For each type with many members, their positions by name.
    private var members: [ByteKey: MemberPositions] = [:]
    private var enumTypes: [ByteKey: (schema: Int, position: Int)] = [:]
    /// For each enumeration, its values by name.
    private var enumValues: [ByteKey: [ByteKey: Int64]] = [:]
    private var definitions: [ByteKey: (schema: Int, position: Int)] = [:]

    static let maximumInheritance = 64

    /// Creates a model from schemas. If two declarations have the same name, the first one is used; the CSDL reader
    /// refuses such documents.
    public init(schemas: [EdmSchema]) {
        self.schemas = schemas
        for (index, schema) in schemas.enumerated() {
            if let alias = schema.alias {
                namespaceOfAlias[ByteKey(alias)] = schema.namespace
            }
            func key(_ name: String) -> ByteKey { ByteKey(schema.namespace + "." + name) }
            for (position, type) in schema.entityTypes.enumerated() where structuredTypes[key(type.name)] == nil {
                structuredTypes[key(type.name)] = (index, position, .entity)
                members[key(type.name)] = MemberPositions(type)
            }
            for (position, type) in schema.complexTypes.enumerated() where structuredTypes[key(type.name)] == nil {
                structuredTypes[key(type.name)] = (index, position, .complex)
                members[key(type.name)] = MemberPositions(type)
            }
            for (position, type) in schema.enumTypes.enumerated() where enumTypes[key(type.name)] == nil {
                enumTypes[key(type.name)] = (index, position)
                enumValues[key(type.name)] = type.values
            }
            for (position, type) in schema.typeDefinitions.enumerated() where definitions[key(type.name)] == nil {
                definitions[key(type.name)] = (index, position)
            }
        }
    }

    /// Replaces the alias of a qualified name by its namespace; other names do not change.
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
            ? schemas[found.schema].entityTypes[found.position] : schemas[found.schema].complexTypes[found.position]
    }

    /// Finds an enumeration by its qualified name, by namespace or alias.
    public func enumType(_ name: String) -> EdmEnumType? {
        (enumTypes[ByteKey(name)] ?? enumTypes[ByteKey(resolve(name))]).map {
            schemas[$0.schema].enumTypes[$0.position]
        }
    }

    /// The value of a text of an enumeration, as `EdmEnumType.value(of:)` gives it, in time proportional to the text;
    /// nil for an unknown enumeration too.
    ///
    /// - Parameter isFlags: Whether several members may be combined; nil for what the type declares.
    func enumValue(of text: String, in name: String, isFlags: Bool? = nil) -> Int64? {
        let key = enumTypes[ByteKey(name)] == nil ? ByteKey(resolve(name)) : ByteKey(name)
        guard let found = enumTypes[key], let values = enumValues[key] else { return nil }
        let isFlags = isFlags ?? schemas[found.schema].enumTypes[found.position].isFlags
        return EdmEnumType.value(of: text, isFlags: isFlags) { values[ByteKey(String(Substring($0)))] }
    }

    /// Finds a type definition by its qualified name, by namespace or alias.
    public func typeDefinition(_ name: String) -> EdmTypeDefinition? {
        (definitions[ByteKey(name)] ?? definitions[ByteKey(resolve(name))]).map {
            schemas[$0.schema].typeDefinitions[$0.position]
        }
    }

    /// The type and its base types, the named one first; empty for an unknown name.
    public func inheritance(of name: String) -> [EdmStructuredType] {
        var chain: [EdmStructuredType] = []
        var next: String? = name
        while let current = next, chain.count < Self.maximumInheritance, let type = structuredType(current) {
            chain.append(type)
            next = type.baseType
        }
        return chain
    }

    /// Whether a type is the same as another type or derived from it.
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

    /// The structural property with a name, declared or inherited.
    public func property(_ name: String, of type: String) -> EdmProperty? {
        find(in: type) { level, positions in
            positions == nil
                ? level.properties.first { $0.name.utf8.elementsEqual(name.utf8) }
                : positions?.properties[ByteKey(name)].map { level.properties[$0] }
        }
    }

    /// The navigation property with a name, declared or inherited.
    public func navigation(_ name: String, of type: String) -> EdmNavigationProperty? {
        find(in: type) { level, positions in
            positions == nil
                ? level.navigation.first { $0.name.utf8.elementsEqual(name.utf8) }
                : positions?.navigation[ByteKey(name)].map { level.navigation[$0] }
        }
    }

    /// Looks for a member in a type and then in its base types.
    private func find<Found>(
        in type: String, _ body: (EdmStructuredType, MemberPositions?) -> Found?
    ) -> Found? {
        var next: String? = type
        var depth = 0
        while let current = next, depth < Self.maximumInheritance {
            let key = structuredTypes[ByteKey(current)] == nil ? ByteKey(resolve(current)) : ByteKey(current)
            guard let found = structuredTypes[key] else { return nil }
            let level =
                found.kind == .entity
                ? schemas[found.schema].entityTypes[found.position]
                : schemas[found.schema].complexTypes[found.position]
            if let member = body(level, members[key]) {
                return member
            }
            next = level.baseType
            depth += 1
        }
        return nil
    }

    /// The key of an entity type, declared or else inherited.
    public func key(of type: String) -> [EdmStructuredType.KeyPart] {
        inheritance(of: type).first { !$0.key.isEmpty }?.key ?? []
    }

    /// Whether the type or one of its base types allows undeclared properties.
    public func isOpen(_ type: String) -> Bool { inheritance(of: type).contains { $0.isOpen } }

    /// All structural properties, those of the root type first.
    public func properties(of type: String) -> [EdmProperty] { inheritance(of: type).reversed().flatMap(\.properties) }

    /// All navigation properties, those of the root type first.
    public func navigation(of type: String) -> [EdmNavigationProperty] {
        inheritance(of: type).reversed().flatMap(\.navigation)
    }

    /// The entity set with a name, searched in the default container first.
    public func entitySet(_ name: String) -> EdmContainer.EntitySet? {
        let containers = schemas.flatMap(\.containers)
        for container in containers.filter(\.isDefault) + containers.filter({ !$0.isDefault }) {
            if let found = container.entitySets.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                return found
            }
        }
        return nil
    }

    /// The function import or action import with a name, the first of its overloads.
    func operationImport(_ name: String) -> EdmContainer.OperationImport? {
        for container in schemas.flatMap(\.containers) {
            if let found = container.imports.first(where: { $0.name.utf8.elementsEqual(name.utf8) }) {
                return found
            }
        }
        return nil
    }

    /// All overloads of a function, by qualified name.
    public func functions(_ name: String) -> [EdmOperation] {
        let name = resolve(name)
        return schemas.flatMap { schema in
            schema.functions.filter { (schema.namespace + "." + $0.name).utf8.elementsEqual(name.utf8) }
        }
    }
}

/// The positions of the members of a type by name. Types with few members have none: a linear search is as fast.
private struct MemberPositions {
    private(set) var properties: [ByteKey: Int] = [:]
    private(set) var navigation: [ByteKey: Int] = [:]

    init?(_ type: EdmStructuredType) {
        guard type.properties.count + type.navigation.count > 16 else { return nil }
        for (index, property) in type.properties.enumerated() where properties[ByteKey(property.name)] == nil {
            properties[ByteKey(property.name)] = index
        }
        for (index, property) in type.navigation.enumerated() where navigation[ByteKey(property.name)] == nil {
            navigation[ByteKey(property.name)] = index
        }
    }
}
