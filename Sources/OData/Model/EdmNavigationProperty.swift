/// A navigation property and the type of the entities that it leads to. Associations of versions 1.0 to 3.0 are
/// converted to this form.
public struct EdmNavigationProperty: Sendable, Hashable {
    /// The name of the property.
    public var name: String
    /// The type of the related entity, or of the collection of them.
    public var type: EdmTypeReference
    /// The name of the navigation property that leads back.
    public var partner: String?
    /// Whether the related entities are part of this one and have no entity set of their own.
    public var containsTarget: Bool
    /// The referential constraints.
    public var constraints: [Constraint]
    /// What a service does with the related entities when this entity is deleted: `Cascade`, `SetNull` and others; nil
    /// where the metadata does not say.
    public var onDelete: String?
    /// The association that the property is an end of, up to version 3.0.
    package var association: String?
    /// Up to version 3.0, the referential constraint of the other end: a property of this entity, and the property of
    /// the related entity that must equal it.
    package var dependentConstraints: [Constraint] = []

    /// A referential constraint: a property, and the property of the related entity that it must equal.
    public struct Constraint: Sendable, Hashable {
        /// The path of the property of this entity.
        public var property: String
        /// The path of the property of the related entity.
        public var referencedProperty: String

        /// Creates a constraint between two properties.
        public init(property: String, referencedProperty: String) {
            self.property = property
            self.referencedProperty = referencedProperty
        }
    }

    /// Creates a navigation property to a type.
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
