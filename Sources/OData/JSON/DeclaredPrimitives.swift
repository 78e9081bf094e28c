import Soups

/// Remembers which properties of a type are declared as primitives, by the numbers of their names among the texts of
/// the entries. Entries of a feed mostly have one type, so that one is remembered.
struct DeclaredPrimitives {
    private var type: String?
    /// By number: nil if nothing is remembered, `.some(nil)` for a property that is not declared as a primitive.
    private var known: [EdmPrimitiveType??] = []

    /// What is remembered about a property; nil for nothing.
    func primitive(_ number: Int32, of type: String) -> EdmPrimitiveType?? {
        guard let known = self.type, known.hasBytes(of: type), Int(number) < self.known.count else { return nil }
        return self.known[Int(number)]
    }

    mutating func remember(_ primitive: EdmPrimitiveType?, _ number: Int32, of type: String) {
        if self.type?.hasBytes(of: type) != true {
            self.type = type
            known = []
        }
        while known.count <= Int(number) {
            known.append(nil)
        }
        known[Int(number)] = .some(primitive)
    }
}
