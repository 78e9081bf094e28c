/// Describes a navigation property: the entities it leads to. Associations of versions 1.0 to 3.0 are resolved into its
/// type.
public struct EdmNavigationProperty: Sendable, Hashable {
    public var name: String
    public var type: EdmTypeReference
    public var partner: String?
    public var containsTarget: Bool
    /// Pairs of a property here and the property of the related entity that it must equal.
    public var constraints: [Constraint]

    /// Pairs a property with the one of the related entity that it must equal.
    public struct Constraint: Sendable, Hashable {
        public var property: String
        public var referencedProperty: String

        public init(property: String, referencedProperty: String) {
            self.property = property
            self.referencedProperty = referencedProperty
        }
    }

    public init(
        _ name: String, _ type: EdmTypeReference, partner: String? = nil, containsTarget: Bool = false,
        constraints: [Constraint] = []
    ) {
        self.name = name
        self.type = type
        self.partner = partner
        self.containsTarget = containsTarget
        self.constraints = constraints
    }
}
