import Soups

/// Types of properties, parameters and results: in an attribute, or up to version 3.0 in child elements.
extension CSDLReader {
    /// The type in an attribute, with the facets of the element.
    func type(of element: CSDLElement, named attribute: CSDLWord) throws(Fault) -> EdmTypeReference {
        guard var text = try written(in: element, named: attribute) else {
            throw element.fault("\(element.name) \(element[.name] ?? "") has no type")
        }
        // The attribute CollectionKind of versions 1.1 and 3.0 means the same as Collection(...).
        if let kind = element[.collectionKind], kind != "None", !text.hasPrefix("Collection(") {
            text = "Collection(\(text))"
        }
        let written = EdmTypeReference(text: text)
        let name = canonical(Self.target(of: written.name))
        return EdmTypeReference(
            name, isCollection: written.isCollection, isNullable: try element.flag(.nullable, default: true),
            facets: try facets(of: element, name))
    }

    /// The type name with its alias replaced by the namespace, and with `Edm.` added to primitive types. `Edm.Float`,
    /// which SAP uses, is a double.
    func canonical(_ name: String) -> String {
        if name == "Edm.Float" {
            return "Edm.Double"
        }
        if !name.utf8.contains(UInt8(ascii: ".")), EdmPrimitiveType(named: "Edm." + name) != nil {
            return "Edm." + name
        }
        return resolve(name)
    }

    private func written(in element: CSDLElement, named attribute: CSDLWord) throws(Fault) -> String? {
        if let text = element[attribute] {
            return text
        }
        return try nested(in: element)
    }

    /// The type in the child elements of version 3.0; nil if they name no type.
    ///
    /// A row type has properties but no name. In a model it is `Edm.Untyped`, and so is a collection of collections.
    private func nested(in element: CSDLElement) throws(Fault) -> String? {
        for child in element.children where child.space == .edm {
            switch child.word {
            case .typeRef, .referenceType: return try child.required(.type)
            case .rowType:
                try checkRow(child)
                return "Edm.Untyped"
            case .collectionType:
                guard let item = try written(in: child, named: .elementType) else {
                    throw child.fault("a collection type has no type for its elements")
                }
                return item.utf8.starts(with: "Collection(".utf8)
                    ? "Collection(Edm.Untyped)" : "Collection(\(Self.target(of: item)))"
            default: continue
            }
        }
        return nil
    }

    private func checkRow(_ row: CSDLElement) throws(Fault) {
        for property in row.all(.property) {
            _ = try property.required(.name)
            _ = try type(of: property, named: .type)
        }
    }

    /// The entity type that a reference type of version 3.0 leads to; other names do not change.
    private static func target(of name: String) -> String {
        guard name.utf8.last == UInt8(ascii: ")"), name.utf8.starts(with: "Ref(".utf8) else {
            return name
        }
        return String(name.dropFirst(4).dropLast())
    }

    /// Whether `facets(of:_:)` reads an attribute.
    private static func isFacet(_ word: CSDLWord) -> Bool {
        switch word {
        case .maxLength, .precision, .scale, .unicode, .srid, .defaultValue, .default: true
        default: false
        }
    }

    private static let unlimitedLengths = ["max"]
    private static let unlimitedScales = ["variable", "floating"]

    /// The facets that an element gives to a type. In version 4 a decimal without a scale is a whole number.
    func facets(of element: CSDLElement, _ type: String) throws(Fault) -> EdmFacets {
        let defaultScale: Int? = element.isV4 && type == "Edm.Decimal" ? 0 : nil
        guard element.attributes.contains(where: { Self.isFacet($0.word) }) else {
            return EdmFacets(scale: defaultScale)
        }
        func number(_ word: CSDLWord, _ words: [String]) throws(Fault) -> Int? {
            guard let text = element[word] else { return nil }
            if words.contains(where: { $0.hasBytes(of: text.lowercased()) }) {
                return .max
            }
            guard let value = Int(text), value >= 0 else {
                throw element.fault("\(element[.name] ?? element.name): \(word.rawValue) must be a number")
            }
            return value
        }
        let scale = try number(.scale, Self.unlimitedScales)
        let srid = element[.srid]
        guard srid.map({ Self.isReferenceSystem($0) }) ?? true else {
            throw element.fault("\(element[.name] ?? element.name): SRID must be a number or variable")
        }
        return EdmFacets(
            maxLength: try number(.maxLength, Self.unlimitedLengths), precision: try number(.precision, []),
            scale: scale ?? defaultScale,
            isUnicode: element[.unicode] == nil ? nil : try element.flag(.unicode, default: true), srid: srid,
            defaultValue: element[.defaultValue] ?? element[.default])
    }

    /// Whether a text names the reference system of shapes. Version 3 writes `Variable`.
    private static func isReferenceSystem(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
            || text.lowercased() == "variable"
    }
}
