import JSONText
import Soups

extension JSONEntryBuilder {
    /// Reads a value by the type in the payload or in the model, otherwise by its JSON type.
    mutating func value(
        _ node: JSONNode, stated: StatedType?, declared: EdmTypeReference?
    ) throws(Fault) -> ODataValue {
        if let declared, let checker {
            if let stated {
                try checker.compare(stated, with: declared, at: node.offset)
                if let own = checker.ownType(stated, under: declared) {
                    return try value(node, declared: own, statedComplex: nil, checker)
                }
            }
            return try value(node, declared: declared, statedComplex: stated?.itemName, checker)
        }
        guard let stated else {
            return try undeclared(node)
        }
        if node.isNull {
            return .null
        }
        if stated.primitive == nil, let checker, checker.isInModel(stated.itemName) {
            return try value(node, declared: EdmTypeReference(text: stated.text), statedComplex: nil, checker)
        }
        if stated.isCollection {
            let list = listNode(node)
            guard list.kind == .array else {
                throw Fault(.typeMismatch, "a collection must be an array", offset: node.offset)
            }
            var values: [ODataValue] = []
            for element in list.elements {
                values.append(try single(element, stated))
            }
            return .collection(values)
        }
        return try single(node, stated)
    }

    /// Reads a value whose type is not known from elsewhere. An object in it may state its own, in arrays and members
    /// too (OData JSON Format 4.01, 7.5).
    mutating func undeclared(_ node: JSONNode) throws(Fault) -> ODataValue {
        guard checker != nil, format != .verbose else {
            return try untyped(node)
        }
        switch node.kind {
        case .object:
            guard let type = try control(.type, of: node), !type.isNull else {
                return GeoJSONShape.isOnlyShape(node) ? try untyped(node) : try complex(node, isChecked: true)
            }
            return try value(node, stated: try statedType(type), declared: nil)
        case .array:
            var values: [ODataValue] = []
            for element in node.elements {
                values.append(try undeclared(element))
            }
            return .collection(values)
        default: return try untyped(node)
        }
    }

    private mutating func single(_ node: JSONNode, _ type: StatedType) throws(Fault) -> ODataValue {
        if node.isNull {
            return .null
        }
        if let primitive = type.primitive, primitive != .stream {
            return try self.primitive(node, primitive)
        }
        // The value of a stream may be in the payload: a text, base64url, or any JSON if that is its media type.
        if type.isUnknownPrimitive || type.primitive == .stream {
            return try untyped(node)
        }
        switch node.kind {
        case .string: return .enumeration(type: type.itemName, members: node.string ?? "")
        case .number where node.isWrittenAsInteger:
            return .enumeration(type: type.itemName, members: String(decoding: node.rawText, as: UTF8.self))
        default: return try untyped(node)
        }
    }

    /// Reads a value of a type that the model declares. Complex values are read member by member.
    ///
    /// - Parameter statedComplex: The type that control information gives to the complex value, or to those of the
    ///   collection: the declared type or one derived from it.
    private mutating func value(
        _ node: JSONNode, declared: EdmTypeReference, statedComplex: String?, _ checker: PayloadTypes
    ) throws(Fault) -> ODataValue {
        if node.isNull {
            return .null
        }
        if declared.isCollection {
            return try collection(node, of: declared, statedComplex: statedComplex, checker)
        }
        if let primitive = checker.primitive(declared.name) {
            return primitive == .stream ? try untyped(node) : try self.primitive(node, primitive)
        }
        if checker.model.enumType(declared.name) != nil {
            return try enumeration(node, declared.name, checker)
        }
        if let abstract = AbstractType(named: declared.name) {
            return try value(node, of: abstract, declared, checker)
        }
        guard checker.model.structuredType(declared.name) != nil else {
            return try untyped(node)
        }
        guard node.kind == .object else {
            throw checker.mismatch(node.offset)
        }
        let type = try checker.effectiveType(stated: statedComplex, expected: declared.name, at: node.offset)
        return try complex(node, type: type, checker)
    }

    private mutating func collection(
        _ node: JSONNode, of declared: EdmTypeReference, statedComplex: String?, _ checker: PayloadTypes
    ) throws(Fault) -> ODataValue {
        let list = listNode(node)
        guard list.kind == .array else {
            throw checker.mismatch(node.offset)
        }
        let item = EdmTypeReference(declared.name, facets: declared.facets)
        var values: [ODataValue] = []
        for element in list.elements {
            values.append(try value(element, declared: item, statedComplex: statedComplex, checker))
        }
        return .collection(values)
    }

    /// The array of a collection, which verbose JSON may write as an object with `results`.
    private func listNode(_ node: JSONNode) -> JSONNode {
        format == .verbose && node.kind == .object ? node["results"] ?? node : node
    }

    private func enumeration(_ node: JSONNode, _ type: String, _ checker: PayloadTypes) throws(Fault) -> ODataValue {
        let text: String
        switch node.kind {
        case .string: text = node.string ?? ""
        case .number where node.isWrittenAsInteger: text = String(decoding: node.rawText, as: UTF8.self)
        default: throw checker.mismatch(node.offset)
        }
        guard checker.model.enumValue(of: text, in: type) != nil else {
            throw Fault(.invalidLiteral, "the enumeration has no member of this name", offset: node.offset)
        }
        return .enumeration(type: type, members: text)
    }

    /// Reads a value whose declaration leaves its type to the payload. An object may state it inside.
    private mutating func value(
        _ node: JSONNode, of abstract: AbstractType, _ declared: EdmTypeReference, _ checker: PayloadTypes
    ) throws(Fault) -> ODataValue {
        if abstract == .untyped, node.kind == .array {
            var values: [ODataValue] = []
            for element in node.elements {
                values.append(try value(element, declared: declared, statedComplex: nil, checker))
            }
            return .collection(values)
        }
        guard node.kind == .object, let type = try control(.type, of: node), !type.isNull else {
            return try undeclared(node)
        }
        let stated = try statedType(type)
        try checker.compare(stated, with: declared, at: node.offset)
        guard let own = checker.ownType(stated, under: declared) else {
            return try untyped(node)
        }
        return try value(node, declared: own, statedComplex: nil, checker)
    }
}
