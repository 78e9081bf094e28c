/// The type of a property, parameter or result, with its facets: a named type or a collection of it.
public struct EdmTypeReference: Sendable, Hashable {
    /// The qualified name (`Edm.Int32`, `Shop.Address`). In a model it has the namespace, not an alias.
    public var name: String
    /// Whether the type is a collection of the named type.
    public var isCollection: Bool
    /// Whether the value, or an element of a collection, may be null.
    public var isNullable: Bool
    /// The limits of the values.
    public var facets: EdmFacets

    /// Creates a reference to a type by its qualified name.
    public init(_ name: String, isCollection: Bool = false, isNullable: Bool = true, facets: EdmFacets = EdmFacets()) {
        self.name = name
        self.isCollection = isCollection
        self.isNullable = isNullable
        self.facets = facets
    }

    /// Creates a reference from `Ns.Type` or `Collection(Ns.Type)`.
    public init(text: String, isNullable: Bool = true, facets: EdmFacets = EdmFacets()) {
        let prefix = "Collection("
        if text.utf8.last == UInt8(ascii: ")"), text.utf8.starts(with: prefix.utf8) {
            self.init(
                String(text.dropFirst(prefix.count).dropLast()), isCollection: true, isNullable: isNullable,
                facets: facets)
        } else {
            self.init(text, isNullable: isNullable, facets: facets)
        }
    }

    /// The primitive type of that name, also of a collection's elements; nil for other types.
    public var primitiveType: EdmPrimitiveType? { EdmPrimitiveType(named: name) }

    /// The text of the type in CSDL.
    public var text: String { isCollection ? "Collection(\(name))" : name }
}
