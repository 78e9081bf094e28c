/// The abstract types of OData, which a declaration may have and a value has not.
///
/// Source: OData CSDL 4.01, section 4.2 (Built-In Abstract Types).
enum AbstractType: String {
    case primitive = "Edm.PrimitiveType"
    case complex = "Edm.ComplexType"
    case entity = "Edm.EntityType"
    case untyped = "Edm.Untyped"

    private static let letters = "PCEU".utf8

    init?(named name: String) {
        // Each value of a payload asks, and raw values are compared slowly: the first letter tells most names apart.
        guard let letter = name.utf8.dropFirst("Edm.".utf8.count).first, Self.letters.contains(letter) else {
            return nil
        }
        self.init(rawValue: name)
    }
}
