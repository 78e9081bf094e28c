import JSONText
import Soups

extension JSONEntryBuilder {
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

    /// Reads a number without a known type. It keeps up to 34 digits.
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
        if options.keepsDigits, let decimal = digits(bytes) {
            return .decimal(decimal)
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

    /// A number without exponent as a decimal with all its digits. A double keeps the sign of zero, a decimal does not.
    private func digits(_ bytes: UnsafeBufferPointer<UInt8>) -> EdmDecimal? {
        guard !bytes.contains(where: { $0 | 0x20 == UInt8(ascii: "e") }), let decimal = untypedDecimal(bytes),
            decimal.significand != 0 || bytes.first != UInt8(ascii: "-")
        else { return nil }
        return decimal
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
}
