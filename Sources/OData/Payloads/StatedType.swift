/// Holds a type as a payload states it, in canonical form: without a hash, with `Edm.` in front of primitive types.
///
/// Shapes: `Edm.Int32`, `Int32`, `#Int32`, `Shop.Address`, `#Shop.Address`, `Collection(Edm.String)`,
/// `#Collection(String)`.
struct StatedType: Sendable {
    let text: String
    /// The primitive type, of the items where it is a collection.
    let primitive: EdmPrimitiveType?
    let isCollection: Bool
    /// `Edm.` something that this library does not know: its values stay text.
    let isUnknownPrimitive: Bool

    init(_ written: String) {
        var name = written.utf8.first == UInt8(ascii: "#") ? String(written.dropFirst()) : written
        let prefix = "Collection("
        isCollection = name.utf8.starts(with: prefix.utf8) && name.utf8.last == UInt8(ascii: ")")
        if isCollection {
            name = String(name.dropFirst(prefix.count).dropLast())
            if name.utf8.first == UInt8(ascii: "#") {
                name = String(name.dropFirst())
            }
        }
        if !name.utf8.contains(UInt8(ascii: ".")), EdmPrimitiveType(named: "Edm." + name) != nil {
            name = "Edm." + name
        }
        primitive = EdmPrimitiveType(named: name)
        isUnknownPrimitive = primitive == nil && name.utf8.starts(with: "Edm.".utf8)
        text = isCollection ? "Collection(\(name))" : name
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(String(bytes: bytes)) }

    /// The type of the items of a collection, by name.
    var itemName: String { isCollection ? String(text.dropFirst("Collection(".count).dropLast()) : text }
}
