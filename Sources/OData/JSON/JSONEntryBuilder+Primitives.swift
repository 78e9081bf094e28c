import JSONText
import Soups

extension JSONEntryBuilder {
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
            return try number(node, as: type)
        case .object:
            return try shape(node, as: type)
        case .array:
            throw mismatch(node, type)
        }
    }

    private func number(_ node: JSONNode, as type: EdmPrimitiveType) throws(Fault) -> ODataValue {
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

    private func shape(_ node: JSONNode, as type: EdmPrimitiveType) throws(Fault) -> ODataValue {
        guard type.isSpatial, GeoJSONShape.isShape(node) else {
            throw mismatch(node, type)
        }
        let shape = try GeoJSONShape.text(node, isGeography: type.isGeography)
        guard type.includes(shapeNamedIn: shape) else {
            throw Fault(.invalidLiteral, "not a shape of the type \(type.rawValue)", offset: node.offset)
        }
        return .spatial(type, shape)
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

    private func mismatch(_ node: JSONNode, _ type: EdmPrimitiveType) -> Fault {
        Fault(.typeMismatch, "expected a JSON value of type \(type.rawValue)", offset: node.offset)
    }

    private func invalid(_ node: JSONNode, _ type: EdmPrimitiveType) -> Fault {
        Fault(.invalidLiteral, "not a valid \(type.rawValue)", offset: node.offset)
    }
}
