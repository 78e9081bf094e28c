/// Names the type of a property, parameter or result, with its facets: one type name, or a collection of it.
public struct EdmTypeReference: Sendable, Hashable {
    /// A qualified name (`Edm.Int32`, `Shop.Address`), with the namespace and not the alias once a model is made.
    public var name: String
    public var isCollection: Bool
    public var isNullable: Bool
    public var facets: EdmFacets

    public init(_ name: String, isCollection: Bool = false, isNullable: Bool = true, facets: EdmFacets = EdmFacets()) {
        self.name = name
        self.isCollection = isCollection
        self.isNullable = isNullable
        self.facets = facets
    }

    /// Reads `Ns.Type` or `Collection(Ns.Type)`.
    public init(text: String, isNullable: Bool = true, facets: EdmFacets = EdmFacets()) {
        let prefix = "Collection("
        if text.utf8.starts(with: prefix.utf8), text.utf8.last == UInt8(ascii: ")") {
            self.init(
                String(text.dropFirst(prefix.count).dropLast()), isCollection: true, isNullable: isNullable,
                facets: facets)
        } else {
            self.init(text, isNullable: isNullable, facets: facets)
        }
    }

    public var primitiveType: EdmPrimitiveType? { EdmPrimitiveType(named: name) }

    /// The text as CSDL writes it.
    public var text: String { isCollection ? "Collection(\(name))" : name }
}
