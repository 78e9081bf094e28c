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
    /// One reference, because evaluations copy their model.
    private var contents: Shared<EdmModelContents>

    /// The schemas in the order of the document.
    public var schemas: [EdmSchema] { contents.value.schemas }

    /// The deviations from the specification with which the document was read all the same: keys of derived types whose
    /// base type has a key. They are faults with the offset of the element, in the order of the document.
    public var warnings: [Fault] { contents.value.warnings }

    /// Whether entity types also have the members of rows of a store.
    var describesRows: Bool {
        get { contents.value.describesRows }
        set { change { $0.describesRows = newValue } }
    }

    var types: StructuredTypes { contents.value.types }

    /// Creates a model from schemas. If two declarations have the same name, the first one is used; the CSDL reader
    /// refuses such documents.
    public init(schemas: [EdmSchema]) { contents = Shared(EdmModelContents(schemas: schemas)) }

    private mutating func change(_ body: (inout EdmModelContents) -> Void) {
        var changed = contents.value
        body(&changed)
        contents = Shared(changed)
    }

    /// Notes what the document has against the specification.
    mutating func warn(of warnings: [Fault]) { change { $0.warnings = warnings } }

    /// Notes the schemas that the document only refers to, by namespace, and the aliases that it gives them.
    mutating func refer(to namespaces: Set<ByteKey>, aliases: [ByteKey: String]) {
        change { contents in
            contents.referredNamespaces = namespaces
            for (alias, namespace) in aliases where namespaces.contains(ByteKey(namespace)) {
                contents.namespaceOfAlias[alias] = contents.namespaceOfAlias[alias] ?? namespace
            }
        }
    }

    /// Notes the same referred schemas as another model.
    mutating func refer(as other: EdmModel) {
        refer(to: other.contents.value.referredNamespaces, aliases: other.contents.value.namespaceOfAlias)
    }

    /// Whether a qualified name is that of a schema to which the document only refers.
    func isOfReferredSchema(_ name: String) -> Bool {
        guard !contents.value.referredNamespaces.isEmpty else { return false }
        let name = resolve(String(name.prefix { $0 != "(" }))
        guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return false }
        return contents.value.referredNamespaces.contains(ByteKey(String(name[..<dot])))
    }

    /// Replaces the members of an enumeration of the model by their number, which is the same however they are written.
    func numbered(_ value: ODataValue) -> ODataValue {
        guard case .enumeration(let name?, let members) = value,
            let number = enumValue(of: members, in: name, isFlags: true)
        else {
            return value
        }
        return .enumeration(type: name, members: String(number))
    }

    /// Whether a qualified name may be that of a type: a primitive or abstract one, one of the document, or one of a
    /// schema to which the document only refers. True for every name without a namespace.
    func mayHaveType(_ name: String) -> Bool {
        guard name.utf8.contains(UInt8(ascii: ".")), EdmPrimitiveType(named: name) == nil else { return true }
        return structuredType(name) != nil || enumType(name) != nil || typeDefinition(name) != nil
            || AbstractType(named: name) != nil || isOfReferredSchema(name)
    }

    /// Replaces the alias of a qualified name by its namespace; other names do not change.
    public func resolve(_ name: String) -> String { contents.value.resolve(name) }

    /// Finds an entity or complex type by its qualified name, by namespace or alias.
    public func structuredType(_ name: String) -> EdmStructuredType? {
        position(of: name).map { types.entries[$0].type }
    }

    /// Whether a qualified name, by namespace or alias, is that of an entity or complex type.
    func hasStructuredType(_ name: String) -> Bool { position(of: name) != nil }

    /// The positions of the type and of its base types, the named one first; empty for an unknown name.
    func chain(of name: String) -> StructuredTypes.Chain { types.chain(from: position(of: name)) }

    /// The position of a type by its name, as it is written or with its alias resolved.
    func position(of name: String) -> Int? {
        if let position = types.position(of: name) {
            return position
        }
        return contents.value.namespaceOfAlias.isEmpty ? nil : types.position(of: resolve(name))
    }

    /// Finds an enumeration by its qualified name, by namespace or alias.
    public func enumType(_ name: String) -> EdmEnumType? {
        contents.value.enumPosition(of: name).map { schemas[$0.schema].enumTypes[$0.position] }
    }

    /// The value of a text of an enumeration, as `EdmEnumType.value(of:)` gives it, in time proportional to the text;
    /// nil for an unknown enumeration too.
    ///
    /// - Parameter isFlags: Whether several members may be combined; nil for what the type declares.
    func enumValue(of text: String, in name: String, isFlags: Bool? = nil) -> Int64? {
        guard let found = contents.value.enumPosition(of: name) else { return nil }
        let isFlags = isFlags ?? schemas[found.schema].enumTypes[found.position].isFlags
        return EdmEnumType.value(of: text, isFlags: isFlags) { found.values[ByteKey(String(Substring($0)))] }
    }

    /// Finds a type definition by its qualified name, by namespace or alias.
    public func typeDefinition(_ name: String) -> EdmTypeDefinition? {
        contents.value.definitionPosition(of: name).map { schemas[$0.schema].typeDefinitions[$0.position] }
    }

    /// Returns the type and its base types, the named one first; empty for an unknown name.
    public func inheritance(of name: String) -> [EdmStructuredType] { chain(of: name).map { types.entries[$0].type } }

    /// Says whether a type is the same as another type or derived from it.
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

    /// Returns the structural property with a name, declared or inherited.
    public func property(_ name: String, of type: String) -> EdmProperty? {
        TypeMembers(of: type, in: self).property(name)
    }

    /// The type of the structural or navigation property with a name, declared or inherited.
    func memberType(_ name: String, of type: String) -> EdmTypeReference? {
        TypeMembers(of: type, in: self).type(of: name)
    }

    /// Returns the navigation property with a name, declared or inherited.
    public func navigation(_ name: String, of type: String) -> EdmNavigationProperty? {
        TypeMembers(of: type, in: self).navigation(name)
    }

    /// Returns the key of an entity type, declared or else inherited; empty for a type without one, also an unknown
    /// one. O(n) in the number of base types.
    public func key(of type: String) -> [EdmStructuredType.KeyPart] {
        chain(of: type).lazy.map { types.entries[$0].type.key }.first { !$0.isEmpty } ?? []
    }

    /// Says whether instances of the type may have properties that are not declared: it or one of its base types is
    /// open, or a base type is not in the model, as one of a schema that the document only refers to.
    public func isOpen(_ type: String) -> Bool { TypeMembers(of: type, in: self).isOpen }

    /// Returns all structural properties, those of the root type first.
    public func properties(of type: String) -> [EdmProperty] { inheritance(of: type).reversed().flatMap(\.properties) }

    /// Returns all navigation properties, those of the root type first.
    public func navigation(of type: String) -> [EdmNavigationProperty] {
        inheritance(of: type).reversed().flatMap(\.navigation)
    }

    /// Returns the entity set with a name, searched in the default container first.
    public func entitySet(_ name: String) -> EdmContainer.EntitySet? {
        let containers = schemas.flatMap(\.containers)
        for container in containers.filter(\.isDefault) + containers.filter({ !$0.isDefault }) {
            if let found = container.entitySets.first(where: { $0.name.hasBytes(of: name) }) {
                return found
            }
        }
        return nil
    }

    /// The singleton with a name, in any container.
    func singleton(_ name: String) -> EdmContainer.Singleton? {
        schemas.lazy.flatMap(\.containers).flatMap(\.singletons).first { $0.name.hasBytes(of: name) }
    }

    /// Whether the service may have entity sets that the model does not have: it has no container, or one that extends
    /// one of another document.
    var mayHaveOtherSets: Bool {
        let containers = schemas.flatMap(\.containers)
        let names = schemas.flatMap { schema in schema.containers.map { schema.namespace + "." + $0.name } }
        return containers.isEmpty
            || containers.contains { container in
                guard let base = container.extends else { return false }
                return !(names + containers.map(\.name)).contains { $0.hasBytes(of: resolve(base)) }
            }
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

    /// Returns all overloads of a function, by qualified name.
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
