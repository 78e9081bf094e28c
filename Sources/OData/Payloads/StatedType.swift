/// A type from a payload in canonical form: without a hash, and with `Edm.` before primitive and abstract types.
///
/// Accepted forms: `Edm.Int32`, `Int32`, `#Int32`, `Shop.Address`, `#Shop.Address`, `Collection(Edm.String)`,
/// `#Collection(String)`, `http://services.example/$metadata#Shop.Address`.
struct StatedType: Sendable {
    let text: String
    /// The primitive type, or that of the items of a collection.
    let primitive: EdmPrimitiveType?
    let isCollection: Bool
    /// Whether it is a collection of collections, which is not a type.
    let isNested: Bool
    /// Whether it is an `Edm.` type that this library does not know. Its values stay text.
    let isUnknownPrimitive: Bool

    init(_ written: String) {
        let prefix = "Collection("
        var name = written.utf8.first == UInt8(ascii: "#") ? String(written.dropFirst()) : written
        if !name.utf8.starts(with: prefix.utf8), let hash = name.utf8.lastIndex(of: UInt8(ascii: "#")) {
            name = String(name[name.utf8.index(after: hash)...])
        }
        isCollection = name.utf8.starts(with: prefix.utf8) && name.utf8.last == UInt8(ascii: ")")
        if isCollection {
            name = String(name.dropFirst(prefix.count).dropLast())
            if name.utf8.first == UInt8(ascii: "#") {
                name = String(name.dropFirst())
            }
        }
        isNested = isCollection && name.utf8.starts(with: prefix.utf8)
        if !name.utf8.contains(UInt8(ascii: ".")) {
            let qualified = "Edm." + name
            if EdmPrimitiveType(named: qualified) != nil || AbstractType(named: qualified) != nil {
                name = qualified
            }
        }
        primitive = EdmPrimitiveType(named: name)
        isUnknownPrimitive = primitive == nil && name.utf8.starts(with: "Edm.".utf8)
        text = isCollection ? "Collection(\(name))" : name
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) { self.init(String(bytes: bytes)) }

    /// The name of the type, or of the type of the items of a collection.
    var itemName: String { isCollection ? String(text.dropFirst("Collection(".count).dropLast()) : text }
}
