/// A type definition: another name for a primitive type, with facets.
public struct EdmTypeDefinition: Sendable, Hashable {
    public var name: String
    public var underlying: EdmTypeReference

    public init(name: String, underlying: EdmTypeReference) {
        self.name = name
        self.underlying = underlying
    }
}
