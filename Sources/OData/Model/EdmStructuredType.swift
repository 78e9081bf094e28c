/// An entity type or a complex type with its own declarations. `EdmModel` finds inherited ones.
public struct EdmStructuredType: Sendable, Hashable {
    /// Whether values have a key (entity) or are part of another value (complex).
    public enum Kind: Sendable, Hashable {
        /// A type with a key.
        case entity
        /// A type without a key.
        case complex
    }

    /// Whether this is an entity type or a complex type.
    public var kind: Kind
    /// The name without its namespace.
    public var name: String
    /// The qualified name of the base type.
    public var baseType: String?
    /// Whether only derived types have instances.
    public var isAbstract: Bool
    /// Whether instances may have undeclared properties.
    public var isOpen: Bool
    /// Whether entities of the type are media link entries.
    public var hasStream: Bool
    /// The properties of the key in order; empty if the key is inherited, and for a complex type.
    public var key: [KeyPart]
    /// The properties that the type itself declares.
    public var properties: [EdmProperty]
    /// The navigation properties that the type itself declares.
    public var navigation: [EdmNavigationProperty]

    /// A property of the key: its path, and the alias that key predicates use for it.
    public struct KeyPart: Sendable, Hashable {
        /// The path of the key property.
        public var path: String
        /// The name in key predicates, for a path that is not a single name.
        public var alias: String?

        /// Creates a part of a key.
        public init(_ path: String, alias: String? = nil) {
            self.path = path
            self.alias = alias
        }
    }

    /// Creates a type with its own declarations.
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
