import Soups

/// Remembers which properties of a type are declared as primitives, by the numbers of their names among the texts of
/// the entries. Entries of a feed mostly have one type, so that one is remembered.
struct DeclaredPrimitives {
    private var type: String?
    /// By number: nil if nothing is remembered, `.some(nil)` for a property that is not declared as a primitive.
    private var known: [EdmPrimitiveType??] = []

    /// Turns to the type of an object, which is the one that is asked about until another one is turned to. What is
    /// remembered of another type is forgotten.
    mutating func turn(to type: String?) {
        guard let type, self.type?.hasBytes(of: type) != true else { return }
        self.type = type
        known.removeAll(keepingCapacity: true)
    }

    /// What is remembered about a property; nil for nothing.
    func primitive(_ number: Int32) -> EdmPrimitiveType?? {
        Int(number) < known.count ? known[Int(number)] : nil
    }

    mutating func remember(_ primitive: EdmPrimitiveType?, _ number: Int32) {
        while known.count <= Int(number) {
            known.append(nil)
        }
        known[Int(number)] = .some(primitive)
    }
}
