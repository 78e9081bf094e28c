/// A structural property: its name and type.
public struct EdmProperty: Sendable, Hashable {
    public var name: String
    public var type: EdmTypeReference
    /// Whether the property is used for optimistic concurrency (`ConcurrencyMode="Fixed"` in versions 1.0 to 3.0).
    public var isConcurrencyToken: Bool
    /// The feed mapping of the property in Atom (versions 2.0 and 3.0).
    public var feedMapping: EdmFeedMapping?

    public init(
        _ name: String, _ type: EdmTypeReference, isConcurrencyToken: Bool = false, feedMapping: EdmFeedMapping? = nil
    ) {
        self.name = name
        self.type = type
        self.isConcurrencyToken = isConcurrencyToken
        self.feedMapping = feedMapping
    }
}
