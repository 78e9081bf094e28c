import Soups

/// Conversion of the values of Atom payloads, which are texts until it is known how they are declared.
extension PayloadTypes {
    /// Converts an Atom value to its declared type. A type in the payload must match the declared one.
    func convert(
        _ value: ODataValue, to declared: EdmTypeReference, stated: String?, at offset: Int
    ) throws(Fault) -> ODataValue {
        var declared = declared
        if let stated = stated.map({ StatedType($0) }) {
            try compare(stated, with: declared, at: offset)
            declared = ownType(stated, under: declared) ?? declared
        }
        if declared.isCollection {
            return try convert(collection: value, to: declared, at: offset)
        }
        switch value {
        case .null: return value
        case .enumeration(let type, let text):
            let own = type.flatMap { ownType(StatedType($0), under: declared) }
            return try convert(text: text, to: own ?? declared, at: offset)
        case .string(let text): return try convert(text: text, to: declared, at: offset)
        case .complex(let members):
            let complex = StatedComplex(members, stated: stated)
            return try convert(complex, to: declared, isCompared: stated != nil, at: offset)
        case .collection(let items):
            guard AbstractType(named: declared.name) == .untyped else { throw mismatch(offset) }
            return try convert(items: items, to: declared, at: offset)
        default: return try convert(primitive: value, to: declared, at: offset)
        }
    }

    /// Converts a value that is declared as a collection. An element without content is an empty one.
    private func convert(
        collection value: ODataValue, to declared: EdmTypeReference, at offset: Int
    ) throws(Fault) -> ODataValue {
        switch value {
        case .null: return value
        case .collection(let items):
            let item = EdmTypeReference(declared.name, facets: declared.facets)
            return try convert(items: items, to: item, at: offset)
        case .string(let text) where text.utf8.allSatisfy({ $0 <= 0x20 }): return .collection([])
        default: throw mismatch(offset)
        }
    }

    private func convert(
        items: [ODataValue], to declared: EdmTypeReference, at offset: Int
    ) throws(Fault) -> ODataValue {
        var converted: [ODataValue] = []
        for item in items {
            converted.append(try convert(item, to: declared, stated: nil, at: offset))
        }
        return .collection(converted)
    }

    /// Converts a value whose type the payload states: it must be the declared one.
    private func convert(
        primitive value: ODataValue, to declared: EdmTypeReference, at offset: Int
    ) throws(Fault) -> ODataValue {
        guard let actual = value.primitiveType else {
            return value
        }
        guard let wanted = primitive(declared.name) else {
            guard AbstractType(named: declared.name) != nil else { throw mismatch(offset) }
            return value
        }
        if case .spatial(_, let shape) = value, wanted.isSpatial {
            guard wanted.includes(shapeNamedIn: shape) else {
                throw Fault(.invalidLiteral, "not a shape of the type \(wanted.rawValue)", offset: offset)
            }
            return actual == .geography ? .spatial(wanted, shape) : value
        }
        guard actual == wanted else {
            throw mismatch(offset)
        }
        return value
    }

    /// Converts the text of an element to its declared type.
    private func convert(text: String, to declared: EdmTypeReference, at offset: Int) throws(Fault) -> ODataValue {
        if let primitive = primitive(declared.name) {
            guard primitive != .string else {
                return .string(text)
            }
            guard
                let read = withBytes(of: text, { PrimitiveText.readPayload($0, as: primitive, version: version) })
            else {
                throw Fault(.invalidLiteral, "not a valid \(primitive.rawValue)", offset: offset)
            }
            return read
        }
        if model.enumType(declared.name) != nil {
            guard model.enumValue(of: text, in: declared.name) != nil else {
                throw Fault(.invalidLiteral, "the enumeration has no member of this name", offset: offset)
            }
            return .enumeration(type: declared.name, members: text)
        }
        guard model.structuredType(declared.name) != nil else {
            return .string(text)
        }
        guard text.utf8.allSatisfy({ $0 <= 0x20 }) else {
            throw mismatch(offset)
        }
        return .complex([])
    }

    /// Converts the members of a complex value to the types that its own type declares.
    ///
    /// - Parameter isCompared: Whether the type that the payload states is known to fit the declared one.
    private func convert(
        _ value: StatedComplex, to declared: EdmTypeReference, isCompared: Bool, at offset: Int
    ) throws(Fault) -> ODataValue {
        if let stated = value.type, !isCompared {
            try compare(StatedType(stated), with: declared, at: offset)
        }
        let name = value.type ?? declared.name
        guard let type = model.structuredType(name) else {
            guard primitive(declared.name) == nil, model.enumType(declared.name) == nil else {
                throw mismatch(offset)
            }
            return StatedComplex.withoutTypes(.complex(value.members))
        }
        var converted: [ODataValue.Member] = []
        for member in value.members {
            guard let property = model.property(member.name, of: name) else {
                guard isOpen(name) || model.navigation(member.name, of: name) != nil else {
                    throw Fault(
                        .unknownProperty, "the type \(type.name) has no property of this name", offset: offset,
                        context: [.path(member.name)])
                }
                converted.append(.init(member.name, StatedComplex.withoutTypes(member.value)))
                continue
            }
            converted.append(
                .init(member.name, try convert(member.value, to: property.type, stated: nil, at: offset)))
        }
        return .complex(converted)
    }
}
