import Soups

/// Finds names of declarations that are not identifiers: they could not be used in URLs and expressions.
///
/// O(n) in the number of elements. Source: OData CSDL XML 4.01, 15.2; MC-CSDL 2.2.6.
struct CSDLIdentifierCheck {
    /// The names that are not identifiers, in the order of the document.
    private(set) var flaws: [Fault] = []

    private static let named: Set<CSDLWord> = [
        .entityType, .complexType, .enumType, .typeDefinition, .entityContainer, .property, .navigationProperty,
        .member, .function, .action, .parameter, .entitySet, .singleton, .functionImport, .actionImport, .term,
    ]

    mutating func run(_ schemas: [CSDLElement]) {
        for schema in schemas {
            let parts = (schema[.namespace] ?? "").split(separator: ".", omittingEmptySubsequences: false)
            if !parts.allSatisfy({ Self.isIdentifier($0.unicodeScalars, isV4: schema.isV4) }) {
                flaws.append(schema.fault("the namespace of a schema is not made of identifiers"))
            }
            check(schema)
        }
    }

    private mutating func check(_ parent: CSDLElement) {
        for element in parent.children where element.space == .edm && Self.named.contains(element.word) {
            if let name = element[.name], !Self.isIdentifier(name.unicodeScalars, isV4: element.isV4) {
                flaws.append(element.fault("\(element.name): the name \(name) is not an identifier"))
            }
            check(element)
        }
    }

    /// Whether a text is a letter or `_`, and then letters, digits, marks and connectors. Version 4 allows 128 of them,
    /// earlier ones 480.
    private static func isIdentifier(_ text: some Sequence<Unicode.Scalar>, isV4: Bool) -> Bool {
        var count = 0
        for scalar in text {
            let fits = scalar == "_" || (count == 0 ? Identifier.isStart(scalar) : Identifier.isPart(scalar))
            count += 1
            guard fits, count <= (isV4 ? Identifier.maximumLength : 480) else { return false }
        }
        return count > 0
    }
}
