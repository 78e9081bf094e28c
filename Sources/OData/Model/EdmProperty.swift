/// A structural property: its name and type.
public struct EdmProperty: Sendable, Hashable {
    /// The name of the property.
    public var name: String
    /// The type of the property.
    public var type: EdmTypeReference
    /// Whether the property is used for optimistic concurrency (`ConcurrencyMode="Fixed"` in versions 1.0 to 3.0).
    public var isConcurrencyToken: Bool
    /// What the service's database fills in (`StoreGeneratedPattern`, versions 1.0 to 3.0): `Identity`, `Computed` or
    /// `None`; nil where the metadata does not say.
    public var storeGeneratedPattern: String?
    /// The feed mapping of the property in Atom (versions 2.0 and 3.0).
    public var feedMapping: EdmFeedMapping?

    /// Creates a property of a type.
    public init(
        _ name: String, _ type: EdmTypeReference, isConcurrencyToken: Bool = false, feedMapping: EdmFeedMapping? = nil
    ) {
        self.name = name
        self.type = type
        self.isConcurrencyToken = isConcurrencyToken
        self.feedMapping = feedMapping
    }
}
