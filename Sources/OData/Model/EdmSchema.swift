/// The declarations of one schema of a metadata document, in the order of the document.
public struct EdmSchema: Sendable, Hashable {
    /// The namespace of all names that the schema declares.
    public var namespace: String
    /// A short name that may be used instead of the namespace.
    public var alias: String?
    /// The entity types.
    public var entityTypes: [EdmStructuredType]
    /// The complex types.
    public var complexTypes: [EdmStructuredType]
    /// The enumerations.
    public var enumTypes: [EdmEnumType]
    /// The type definitions.
    public var typeDefinitions: [EdmTypeDefinition]
    /// The functions.
    public var functions: [EdmOperation]
    /// The actions, since version 4.0.
    public var actions: [EdmOperation]
    /// The entity containers.
    public var containers: [EdmContainer]
    /// The annotations of the schema and of everything in it.
    public var annotations: [EdmAnnotation]

    /// Creates a schema. `EdmModel` checks what it declares.
    public init(
        namespace: String, alias: String? = nil, entityTypes: [EdmStructuredType] = [],
        complexTypes: [EdmStructuredType] = [],
        enumTypes: [EdmEnumType] = [], typeDefinitions: [EdmTypeDefinition] = [], functions: [EdmOperation] = [],
        actions: [EdmOperation] = [],
        containers: [EdmContainer] = [], annotations: [EdmAnnotation] = []
    ) {
        self.namespace = namespace
        self.alias = alias
        self.entityTypes = entityTypes
        self.complexTypes = complexTypes
        self.enumTypes = enumTypes
        self.typeDefinitions = typeDefinitions
        self.functions = functions
        self.actions = actions
        self.containers = containers
        self.annotations = annotations
    }
}
