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
    /// The namespaces of schemas that the document only refers to. Nothing is known of what they declare.
    private(set) var referredNamespaces: Set<ByteKey> = []
    /// Whether entity types also have the members of rows of a store.
    var describesRows = false
    private var namespaceOfAlias: [ByteKey: String] = [:]
    private(set) var types = StructuredTypes()
    private var enumTypes: [ByteKey: (schema: Int, position: Int)] = [:]
    /// For each enumeration, its values by name.
    private var enumValues: [ByteKey: [ByteKey: Int64]] = [:]
    private var definitions: [ByteKey: (schema: Int, position: Int)] = [:]

    /// Creates a model from schemas. If two declarations have the same name, the first one is used; the CSDL reader
    /// refuses such documents.
    public init(schemas: [EdmSchema]) {
        self.schemas = schemas
        for (index, schema) in schemas.enumerated() {
            if let alias = schema.alias {
                namespaceOfAlias[ByteKey(alias)] = schema.namespace
            }
            func key(_ name: String) -> ByteKey { ByteKey(schema.namespace + "." + name) }
            for type in schema.entityTypes + schema.complexTypes {
                types.add(type, named: key(type.name))
            }
            for (position, type) in schema.enumTypes.enumerated() where enumTypes[key(type.name)] == nil {
                enumTypes[key(type.name)] = (index, position)
                enumValues[key(type.name)] = type.values
            }
            for (position, type) in schema.typeDefinitions.enumerated() where definitions[key(type.name)] == nil {
                definitions[key(type.name)] = (index, position)
            }
        }
        var connected = types
        connected.connect { resolve($0) }
        types = connected
    }

    /// Notes the schemas that the document only refers to, by namespace, and the aliases that it gives them.
    mutating func refer(to namespaces: Set<ByteKey>, aliases: [ByteKey: String]) {
        referredNamespaces = namespaces
        for (alias, namespace) in aliases where namespaces.contains(ByteKey(namespace)) {
            namespaceOfAlias[alias] = namespaceOfAlias[alias] ?? namespace
        }
    }

    /// Notes the same referred schemas as another model.
    mutating func refer(as other: EdmModel) {
        refer(to: other.referredNamespaces, aliases: other.namespaceOfAlias)
    }

    /// Whether a qualified name is that of a schema to which the document only refers.
    func isOfReferredSchema(_ name: String) -> Bool {
        guard !referredNamespaces.isEmpty else { return false }
        let name = resolve(String(name.prefix { $0 != "(" }))
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return referredNamespaces.contains(ByteKey(String(name[..<dot])))
    }

    /// Replaces the alias of a qualified name by its namespace; other names do not change.
    public func resolve(_ name: String) -> String {
        guard !namespaceOfAlias.isEmpty, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
            let namespace = namespaceOfAlias[ByteKey(String(name[..<dot]))]
        else {
            return name
        }
        return namespace + name[dot...]
    }

    /// Finds an entity or complex type by its qualified name, by namespace or alias.
    public func structuredType(_ name: String) -> EdmStructuredType? {
        position(of: name).map { types.entries[$0].type }
    }

    /// Whether a qualified name, by namespace or alias, is that of an entity or complex type.
    func hasStructuredType(_ name: String) -> Bool { position(of: name) != nil }

    /// The positions of the type and of its base types, the named one first; empty for an unknown name.
    func chain(of name: String) -> StructuredTypes.Chain { types.chain(from: position(of: name)) }

    // A closure, because `resolve` as a value would copy the model.
    private func position(of name: String) -> Int? { types.position(of: name) { resolve($0) } }

    /// Finds an enumeration by its qualified name, by namespace or alias.
    public func enumType(_ name: String) -> EdmEnumType? {
        guard !enumTypes.isEmpty else { return nil }
        return (enumTypes[ByteKey(name)] ?? enumTypes[ByteKey(resolve(name))]).map {
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
        guard !definitions.isEmpty else { return nil }
        return (definitions[ByteKey(name)] ?? definitions[ByteKey(resolve(name))]).map {
            schemas[$0.schema].typeDefinitions[$0.position]
        }
    }

    /// The type and its base types, the named one first; empty for an unknown name.
    public func inheritance(of name: String) -> [EdmStructuredType] { chain(of: name).map { types.entries[$0].type } }

    /// Whether a type is the same as another type or derived from it.
    public func type(_ name: String, isOrDerivesFrom base: String) -> Bool {
        let wanted = resolve(base)
        var current = resolve(name)
        for _ in 0..<StructuredTypes.maximumInheritance {
            if current.hasBytes(of: wanted) {
                return true
            }
            guard let parent = structuredType(current)?.baseType else { return false }
            current = resolve(parent)
        }
        return false
    }

    /// The structural property with a name, declared or inherited.
    public func property(_ name: String, of type: String) -> EdmProperty? {
        var root: Int?
        for position in chain(of: type) {
            if let found = types.entries[position].property(name) {
                return found
            }
            root = position
        }
        return rowMember(name, ofRoot: root)
    }

    /// The member of a row of a store that all entity types have where the model describes rows.
    private func rowMember(_ name: String, ofRoot root: Int?) -> EdmProperty? {
        guard describesRows, let root, types.entries[root].type.kind == .entity else { return nil }
        return Self.rowMember(name)
    }

    /// The type of the structural or navigation property with a name, declared or inherited.
    func memberType(_ name: String, of type: String) -> EdmTypeReference? {
        var root: Int?
        for position in chain(of: type) {
            if let found = types.entries[position].memberType(name) {
                return found
            }
            root = position
        }
        return rowMember(name, ofRoot: root)?.type
    }

    /// The navigation property with a name, declared or inherited.
    public func navigation(_ name: String, of type: String) -> EdmNavigationProperty? {
        for position in chain(of: type) {
            if let found = types.entries[position].navigation(name) {
                return found
            }
        }
        return nil
    }

    /// The key of an entity type, declared or else inherited.
    public func key(of type: String) -> [EdmStructuredType.KeyPart] {
        chain(of: type).lazy.map { types.entries[$0].type.key }.first { !$0.isEmpty } ?? []
    }

    /// Whether instances of the type may have properties that are not declared: it or one of its base types is open, or a
    /// base type is not in the model, as one of a schema that the document only refers to.
    public func isOpen(_ type: String) -> Bool { chain(of: type).contains { types.entries[$0].isOpen } }

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
            if let found = container.entitySets.first(where: { $0.name.hasBytes(of: name) }) {
                return found
            }
        }
        return nil
    }

    /// The function import or action import with a name, the first of its overloads.
    func operationImport(_ name: String) -> EdmContainer.OperationImport? {
        for container in schemas.flatMap(\.containers) {
            if let found = container.imports.first(where: { $0.name.hasBytes(of: name) }) {
                return found
            }
        }
        return nil
    }

    /// All overloads of a function, by qualified name.
    public func functions(_ name: String) -> [EdmOperation] {
        let name = resolve(name)
        return schemas.flatMap { schema in
            schema.functions.filter { (schema.namespace + "." + $0.name).hasBytes(of: name) }
        }
    }

    /// Whether a function or action with a qualified name is declared.
    func hasOperation(_ name: String) -> Bool {
        let name = resolve(name)
        return schemas.contains { schema in
            (schema.functions + schema.actions).contains { (schema.namespace + "." + $0.name).hasBytes(of: name) }
        }
    }
}
