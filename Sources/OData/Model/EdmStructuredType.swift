/// Describes an entity type or a complex type: what it declares itself. `EdmModel` adds what it inherits.
public struct EdmStructuredType: Sendable, Hashable {
    /// Says whether values have a key of their own (entity) or are part of another value.
    public enum Kind: Sendable, Hashable { case entity, complex }

    public var kind: Kind
    /// The name without its namespace.
    public var name: String
    /// The qualified name of the base type.
    public var baseType: String?
    public var isAbstract: Bool
    /// Instances may have properties that are not declared.
    public var isOpen: Bool
    /// Entities are media link entries.
    public var hasStream: Bool
    /// The key in its order; empty where it is inherited, or for a complex type.
    public var key: [KeyPart]
    public var properties: [EdmProperty]
    public var navigation: [EdmNavigationProperty]

    /// Names a property of the key by its path, with the alias that key predicates use for it.
    public struct KeyPart: Sendable, Hashable {
        public var path: String
        public var alias: String?

        public init(_ path: String, alias: String? = nil) {
            self.path = path
            self.alias = alias
        }
    }

    public init(
        kind: Kind, name: String, baseType: String? = nil, isAbstract: Bool = false, isOpen: Bool = false,
        hasStream: Bool = false,
        key: [KeyPart] = [], properties: [EdmProperty] = [], navigation: [EdmNavigationProperty] = []
    ) {
        self.kind = kind
        self.name = name
        self.baseType = baseType
        self.isAbstract = isAbstract
        self.isOpen = isOpen
        self.hasStream = hasStream
        self.key = key
        self.properties = properties
        self.navigation = navigation
    }
}
