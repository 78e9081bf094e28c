import Soups

/// What a model is made of, with tables that find declarations by their names.
struct EdmModelContents: Sendable {
    let schemas: [EdmSchema]
    let types: StructuredTypes
    var warnings: [Fault] = []
    /// The namespaces of schemas that the document only refers to. Nothing is known of what they declare.
    var referredNamespaces: Set<ByteKey> = []
    /// Whether entity types also have the members of rows of a store.
    var describesRows = false
    var namespaceOfAlias: [ByteKey: String] = [:]
    private var enumTypes: [ByteKey: EnumPosition] = [:]
    private var definitions: [ByteKey: (schema: Int, position: Int)] = [:]

    /// Where an enumeration is declared, with its values by name.
    struct EnumPosition: Sendable {
        let schema: Int
        let position: Int
        let values: [ByteKey: Int64]
    }

    init(schemas: [EdmSchema]) {
        self.schemas = schemas
        var types = StructuredTypes()
        for (index, schema) in schemas.enumerated() {
            if let alias = schema.alias {
                namespaceOfAlias[ByteKey(alias)] = schema.namespace
            }
            func key(_ name: String) -> ByteKey { ByteKey(schema.namespace + "." + name) }
            for type in schema.entityTypes {
                types.add(type, named: key(type.name))
            }
            for type in schema.complexTypes {
                types.add(type, named: key(type.name))
            }
            for (position, type) in schema.enumTypes.enumerated() where enumTypes[key(type.name)] == nil {
                enumTypes[key(type.name)] = EnumPosition(schema: index, position: position, values: type.values)
            }
            for (position, type) in schema.typeDefinitions.enumerated() where definitions[key(type.name)] == nil {
                definitions[key(type.name)] = (index, position)
            }
        }
        let aliases = namespaceOfAlias
        types.connect { Self.resolve($0, aliases) }
        self.types = types
    }

    /// Replaces the alias of a qualified name by its namespace; other names do not change.
    func resolve(_ name: String) -> String { Self.resolve(name, namespaceOfAlias) }

    private static func resolve(_ name: String, _ namespaceOfAlias: [ByteKey: String]) -> String {
        guard !namespaceOfAlias.isEmpty, let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")),
            let namespace = namespaceOfAlias[ByteKey(String(name[..<dot]))]
        else {
            return name
        }
        return namespace + name[dot...]
    }

    /// Finds an enumeration by its qualified name, by namespace or alias.
    func enumPosition(of name: String) -> EnumPosition? {
        guard !enumTypes.isEmpty else { return nil }
        return enumTypes[ByteKey(name)] ?? enumTypes[ByteKey(resolve(name))]
    }

    /// Finds a type definition by its qualified name, by namespace or alias.
    func definitionPosition(of name: String) -> (schema: Int, position: Int)? {
        guard !definitions.isEmpty else { return nil }
        return definitions[ByteKey(name)] ?? definitions[ByteKey(resolve(name))]
    }
}
