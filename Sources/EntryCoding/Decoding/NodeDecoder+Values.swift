import FoundationTypes
import JSONText
import Soups

// MARK: - Simple values
extension NodeDecoder {
    func bool() throws -> Bool {
        guard let value = node.bool else { throw mismatch(Bool.self, "a boolean") }
        return value
    }

    func string() throws -> String {
        guard let text = node.stringText else { throw mismatch(String.self, "a text") }
        return text.string
    }

    func integer<I: FixedWidthInteger>(_ type: I.Type) throws -> I {
        guard let text = node.numberText else { throw mismatch(type, "a number") }
        if node.isWrittenAsInteger, text.count <= 18 {
            if let value = I(exactly: Self.shortInteger(text)) {
                return value
            }
        } else if let value = longInteger(type, text) {
            return value
        }
        throw corrupted("the number does not fit into \(type)")
    }

    /// The value of at most 18 digits with a sign.
    private static func shortInteger(_ text: UnsafeRawBufferPointer) -> Int64 {
        let isNegative = text[0] == UInt8(ascii: "-")
        var value: Int64 = 0
        for index in (isNegative ? 1 : 0)..<text.count {
            value = value &* 10 &+ Int64(text[index] &- 0x30)
        }
        return isNegative ? -value : value
    }

    /// Many digits, or an integer that is written with a point or an exponent.
    private func longInteger<I: FixedWidthInteger>(_ type: I.Type, _ text: UnsafeRawBufferPointer) -> I? {
        if node.isWrittenAsInteger {
            return I(String(decoding: text, as: UTF8.self))
        }
        if let value = node.int64 {
            return I(exactly: value)
        }
        return Self.wholeNumber(text).flatMap { I($0) }
    }

    /// The digits of a number that is written with a point or an exponent, if it is whole and has at most 40 digits.
    /// Never through a double, which would round it.
    private static func wholeNumber(_ text: UnsafeRawBufferPointer) -> String? {
        let parts = text.split(maxSplits: 1) { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") }
        guard let mantissa = parts.first,
            let exponent = parts.count < 2 ? 0 : Int(String(decoding: parts[1], as: UTF8.self))
        else {
            return nil
        }
        let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
        var digits = mantissa.filter { $0 != UInt8(ascii: ".") }
        var zeros = exponent.subtractingReportingOverflow(max(0, mantissa.endIndex - point - 1)).partialValue
        while zeros < 0, digits.last == UInt8(ascii: "0") {
            digits.removeLast()
            zeros += 1
        }
        guard zeros >= 0, zeros <= 40 else {
            return nil
        }
        return String(decoding: digits, as: UTF8.self) + String(repeating: "0", count: zeros)
    }

    func double() throws -> Double {
        guard let value = node.double else { throw mismatch(Double.self, "a number") }
        guard value.isFinite else { throw corrupted("the number does not fit into Double") }
        return value
    }

    func float() throws -> Float {
        guard let text = node.numberText else { throw mismatch(Float.self, "a number") }
        // Not through Double, which would round twice.
        guard let value = Float(String(decoding: text, as: UTF8.self)), value.isFinite else {
            throw corrupted("the number does not fit into Float")
        }
        return value
    }
}

// MARK: - Any type
extension NodeDecoder {
    func value<T: Decodable>(_ type: T.Type) throws -> T {
        // Generic code of collections and optionals asks here for the simple types too. No cast can fail: each follows
        // a comparison of the same types.
        if type == String.self { return try string() as! T }
        if type == Int.self { return try integer(Int.self) as! T }
        if type == Double.self { return try double() as! T }
        if type == Bool.self { return try bool() as! T }
        if type == [String].self { return try strings() as! T }
        if type == Int64.self { return try integer(Int64.self) as! T }
        if type == Date.self { return try date() as! T }
        if type == Data.self { return try data() as! T }
        if type == URL.self { return try url() as! T }
        if type == Decimal.self { return try decimal() as! T }
        if type == UUID.self { return try uuid() as! T }
        if !state.namesAreWritten, let dictionary = type as? any TextKeyedDictionary.Type {
            return try dictionary.decode(self) as! T
        }
        return try T(from: self)
    }

    private func strings() throws -> [String] {
        guard node.kind == .array else { throw mismatch([Any].self, "an array") }
        var strings: [String] = []
        for element in node.elements {
            strings.append(try with(element).string())
        }
        return strings
    }
}

/// Dictionaries with texts as keys, which are not converted as the names of properties are.
protocol TextKeyedDictionary {
    static func decode(_ decoder: NodeDecoder) throws -> Self
}

extension Dictionary: TextKeyedDictionary where Key == String, Value: Decodable {
    static func decode(_ decoder: NodeDecoder) throws -> [String: Value] {
        try decoder.check()
        guard decoder.node.kind == .object else {
            throw decoder.mismatch([String: Any].self, "an object")
        }
        var dictionary: [String: Value] = [:]
        for member in decoder.node.members {
            dictionary[member.name.string] = try decoder.with(member.value).value(Value.self)
        }
        return dictionary
    }
}

extension NodeDecoder: SingleValueDecodingContainer {
    func decodeNil() -> Bool { node.isNull }
    func decode(_ type: Bool.Type) throws -> Bool { try bool() }
    func decode(_ type: String.Type) throws -> String { try string() }
    func decode(_ type: Double.Type) throws -> Double { try double() }
    func decode(_ type: Float.Type) throws -> Float { try float() }
    func decode(_ type: Int.Type) throws -> Int { try integer(type) }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer(type) }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer(type) }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer(type) }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer(type) }
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    func decode(_ type: Int128.Type) throws -> Int128 { try integer(type) }
    func decode(_ type: UInt.Type) throws -> UInt { try integer(type) }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer(type) }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer(type) }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer(type) }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer(type) }
    @available(macOS 15, iOS 18, tvOS 18, visionOS 2, *)
    func decode(_ type: UInt128.Type) throws -> UInt128 { try integer(type) }
    func decode<T: Decodable>(_ type: T.Type) throws -> T { try value(type) }
}
