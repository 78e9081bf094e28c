/// A navigation property and the type of the entities that it leads to. Associations of versions 1.0 to 3.0 are
/// converted to this form.
public struct EdmNavigationProperty: Sendable, Hashable {
    public var name: String
    public var type: EdmTypeReference
    public var partner: String?
    public var containsTarget: Bool
    /// The referential constraints.
    public var constraints: [Constraint]

    /// A referential constraint: a property, and the property of the related entity that it must equal.
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
