import JSONText
import Soups

extension JSONEntryBuilder {
    /// Reads a value by the type in the payload or in the model, otherwise by its JSON type.
    mutating func value(_ node: JSONNode, stated: StatedType?, declared: EdmTypeReference?) throws(Fault) -> ODataValue
    {
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
            let list = format == .verbose && node.kind == .object ? node["results"] ?? node : node
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
    private mutating func undeclared(_ node: JSONNode) throws(Fault) -> ODataValue {
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
            let list = format == .verbose && node.kind == .object ? node["results"] ?? node : node
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
        if let primitive = checker.primitive(declared.name) {
            return primitive == .stream ? try untyped(node) : try self.primitive(node, primitive)
        }
        if checker.model.enumType(declared.name) != nil {
            let text: String
            switch node.kind {
            case .string: text = node.string ?? ""
            case .number where node.isWrittenAsInteger: text = String(decoding: node.rawText, as: UTF8.self)
            default: throw checker.mismatch(node.offset)
            }
            guard checker.model.enumValue(of: text, in: declared.name) != nil else {
                throw Fault(.invalidLiteral, "the enumeration has no member of this name", offset: node.offset)
            }
            return .enumeration(type: declared.name, members: text)
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

    private mutating func complex(
        _ node: JSONNode, type declared: String?, _ checker: PayloadTypes
    ) throws(Fault) -> ODataValue {
        var stated: String?
        for member in node.members {
            if case .control(.type) = meaning(of: member.name), !member.value.isNull {
                stated = try statedType(member.value).text
            }
            if case .control(.verboseMetadata) = meaning(of: member.name), let type = member.value["type"] {
                stated = try statedType(type).text
            }
        }
        let type = try checker.effectiveType(stated: stated, expected: declared, at: node.offset)
        let types = try statedTypes(ofMembers: node)
        var members: [ODataValue.Member] = []
        for member in node.members {
            guard case .plain(let name) = meaning(of: member.name) else { continue }
            let stated = types.isEmpty ? nil : types[name]?.type
            let declaration: PayloadTypes.Declaration
            do throws(Fault) { declaration = try checker.declaration(of: name, in: type) } catch {
                throw error.shifted(to: member.value.offset)
            }
            var declared: EdmTypeReference?
            switch declaration {
            case .property(let property): declared = property.type
            // A related entity is a part of the complex value, which is not an entity that could have it.
            case .navigation(let navigation): declared = navigation.type
            case .dynamic, .unknownType: break
            }
            members.append(.init(name, try value(member.value, stated: stated, declared: declared)))
        }
        return .complex(members)
    }

    /// Reads a primitive value: numbers and booleans from the JSON types, everything else from a string. Numbers may
    /// also be strings, as with IEEE754Compatible.
    func primitive(_ node: JSONNode, _ type: EdmPrimitiveType) throws(Fault) -> ODataValue {
        switch node.kind {
        case .null:
            return .null
        case .string:
            if type == .string {
                return .string(node.string ?? "")
            }
            guard type != .boolean else {
                throw mismatch(node, type)
            }
            return try text(node, as: type)
        case .true, .false:
            guard type == .boolean else {
                throw mismatch(node, type)
            }
            return .boolean(node.kind == .true)
        case .number:
            guard type.isNumeric, let text = node.numberText else {
                throw mismatch(node, type)
            }
            if type.isInteger {
                guard let whole = node.int64, let value = Self.integer(whole, type) else {
                    throw invalid(node, type)
                }
                return value
            }
            let bytes = text.bindMemory(to: UInt8.self)
            guard let value = ODataValue.read(bytes, as: type) ?? LongDecimal.read(bytes, as: type) else {
                throw invalid(node, type)
            }
            return value
        case .object:
            guard type.isSpatial, GeoJSONShape.isShape(node) else {
                throw mismatch(node, type)
            }
            let shape = try GeoJSONShape.text(node, isGeography: type.isGeography)
            guard type.includes(shapeNamedIn: shape) else {
                throw Fault(.invalidLiteral, "not a shape of the type \(type.rawValue)", offset: node.offset)
            }
            return .spatial(type, shape)
        case .array:
            throw mismatch(node, type)
        }
    }

    private static func integer(_ value: Int64, _ type: EdmPrimitiveType) -> ODataValue? {
        switch type {
        case .byte: UInt8(exactly: value).map(ODataValue.byte)
        case .sbyte: Int8(exactly: value).map(ODataValue.sbyte)
        case .int16: Int16(exactly: value).map(ODataValue.int16)
        case .int32: Int32(exactly: value).map(ODataValue.int32)
        default: .int64(value)
        }
    }

    private func text(_ node: JSONNode, as type: EdmPrimitiveType) throws(Fault) -> ODataValue {
        guard let string = node.stringText else {
            throw invalid(node, type)
        }
        var value: ODataValue?
        if let bytes = Self.plainBytes(string) {
            value = read(bytes, as: type)
        } else {
            var decoded: [UInt8] = []
            string.append(to: &decoded)
            value = decoded.withUnsafeBufferPointer { read($0, as: type) }
        }
        guard let value else {
            throw invalid(node, type)
        }
        return value
    }

    private func read(_ bytes: UnsafeBufferPointer<UInt8>, as type: EdmPrimitiveType) -> ODataValue? {
        if format != .v4, type == .dateTime || type == .dateTimeOffset, bytes.first == UInt8(ascii: "/") {
            return VerboseDate.read(bytes, as: type)
        }
        if format != .v4, type == .dateTime, bytes.last == UInt8(ascii: "Z") {
            return PrimitiveText.read(bytes, as: type, version: options.readVersion)
        }
        if type.isSpatial, !type.includes(literal: bytes) {
            return nil
        }
        return ODataValue.read(bytes, as: type) ?? LongDecimal.read(bytes, as: type)
    }

    /// Reads a value without a known type by its JSON type (OData JSON Format 4.0, 4.5.3). Numbers keep up to 34
    /// digits.
    mutating func untyped(_ node: JSONNode) throws(Fault) -> ODataValue {
        switch node.kind {
        case .null: return .null
        case .true: return .boolean(true)
        case .false: return .boolean(false)
        case .string:
            guard let string = node.stringText else {
                return .null
            }
            return format == .verbose ? try verboseText(node, string) : .string(string.string)
        case .number: return try number(node)
        case .array:
            var values: [ODataValue] = []
            for element in node.elements {
                values.append(try untyped(element))
            }
            return .collection(values)
        case .object:
            if GeoJSONShape.isOnlyShape(node) {
                return .spatial(.geographyPoint, try GeoJSONShape.text(node, isGeography: true))
            }
            if format == .verbose, node["__metadata"] != nil || node.members.contains(where: { $0.name == "results" }),
                let results = node["results"], results.kind == .array
            {
                return try untyped(results)
            }
            return try complex(node)
        }
    }

    /// Reads a complex value without a known type. Its members may have types in control information. Control
    /// information and annotations do not become members.
    ///
    /// - Parameter isChecked: Whether objects inside are read by the types that they state. Those of annotations are
    ///   not, because an annotation is never an error.
    private mutating func complex(_ node: JSONNode, isChecked: Bool = false) throws(Fault) -> ODataValue {
        let stated = try statedTypes(ofMembers: node)
        var members: [ODataValue.Member] = []
        for member in node.members {
            guard case .plain(let name) = meaning(of: member.name) else { continue }
            if format == .verbose, member.value["__deferred"] != nil {
                continue
            }
            guard let type = stated[name]?.type else {
                let inner = isChecked ? try undeclared(member.value) : try untyped(member.value)
                members.append(.init(name, inner))
                continue
            }
            members.append(.init(name, try value(member.value, stated: type, declared: nil)))
        }
        return .complex(members)
    }

    /// The types that control information gives to members of an object.
    private mutating func statedTypes(ofMembers node: JSONNode) throws(Fault) -> PropertyInfos {
        var stated = PropertyInfos()
        for member in node.members where Self.mayBePropertyControl(member.name) {
            guard case .propertyControl(let name, .type) = meaning(of: member.name), !member.value.isNull else {
                continue
            }
            let position = stated.position(adding: name)
            if stated[at: position].type == nil {
                stated[at: position].type = try statedType(member.value)
            }
        }
        return stated
    }

    /// Reads a string of verbose JSON, as a date if it has the form of one.
    private func verboseText(_ node: JSONNode, _ string: JSONStringText) throws(Fault) -> ODataValue {
        let text = string.string
        guard text.utf8.first == UInt8(ascii: "/") else {
            return .string(text)
        }
        switch withBytes(of: text, { VerboseDate.read($0) }) {
        case .value(let date): return date
        case .outOfRange: throw Fault(.invalidLiteral, "not a valid date: out of range", offset: node.offset)
        case .none: return .string(text)
        }
    }

    func number(_ node: JSONNode) throws(Fault) -> ODataValue {
        guard let text = node.numberText else {
            return .null
        }
        let bytes = text.bindMemory(to: UInt8.self)
        if node.isWrittenAsInteger {
            if let whole = ShortNumber.integer(bytes) {
                return Int32(exactly: whole).map(ODataValue.int32) ?? .int64(whole)
            }
            if let whole = node.int64 {
                return Int32(exactly: whole).map(ODataValue.int32) ?? .int64(whole)
            }
            if let decimal = untypedDecimal(bytes) {
                return .decimal(decimal)
            }
        }
        if let short = ShortNumber.double(bytes) {
            return .double(short)
        }
        guard let double = node.double, double.isFinite else {
            throw Fault(.invalidLiteral, "the number is out of range", offset: node.offset)
        }
        // Services write doubles with up to 17 digits. A number with more digits becomes a decimal if a double cannot
        // represent it.
        if text.count > 17, Self.digits(of: text) > 17, let decimal = untypedDecimal(bytes),
            EdmDecimal("\(double)") != decimal
        {
            return .decimal(decimal)
        }
        return .double(double)
    }

    /// A number without a known type as a decimal; nil for more than 34 digits, which the evaluator reads as a double
    /// too.
    private func untypedDecimal(_ bytes: UnsafeBufferPointer<UInt8>) -> EdmDecimal? {
        guard let decimal = EdmDecimal(bytes: bytes), EdmDecimal.digits(of: decimal.significand) <= 34 else {
            return nil
        }
        return decimal
    }

    /// Counts the digits of a number from the first non-zero digit to the exponent.
    private static func digits(of text: UnsafeRawBufferPointer) -> Int {
        var count = 0
        for byte in text {
            if byte | 0x20 == UInt8(ascii: "e") {
                break
            }
            if byte &- 0x30 <= 9, count > 0 || byte != 0x30 {
                count += 1
            }
        }
        return count
    }

    private func mismatch(_ node: JSONNode, _ type: EdmPrimitiveType) -> Fault {
        Fault(.typeMismatch, "expected a JSON value of type \(type.rawValue)", offset: node.offset)
    }

    private func invalid(_ node: JSONNode, _ type: EdmPrimitiveType) -> Fault {
        Fault(.invalidLiteral, "not a valid \(type.rawValue)", offset: node.offset)
    }
}
