/// The declarations of one schema of a metadata document, in the order of the document.
public struct EdmSchema: Sendable, Hashable {
    public var namespace: String
    public var alias: String?
    public var entityTypes: [EdmStructuredType]
    public var complexTypes: [EdmStructuredType]
    public var enumTypes: [EdmEnumType]
    public var typeDefinitions: [EdmTypeDefinition]
    public var functions: [EdmOperation]
    public var actions: [EdmOperation]
    public var containers: [EdmContainer]
    public var annotations: [EdmAnnotation]

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
