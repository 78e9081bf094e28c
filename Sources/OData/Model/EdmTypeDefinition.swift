/// A type definition: another name for a primitive type, with facets.
public struct EdmTypeDefinition: Sendable, Hashable {
    /// The name without its namespace.
    public var name: String
    /// The primitive type with its facets.
    public var underlying: EdmTypeReference

    /// Creates a type definition.
    public init(name: String, underlying: EdmTypeReference) {
        self.name = name
        self.underlying = underlying
    }
}
