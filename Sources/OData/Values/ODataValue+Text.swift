public import Soups

extension ODataValue {
    /// Parses the text of a value of a primitive type, as in payloads and CSDL. White space around it is not allowed.
    ///
    /// Throws `invalidLiteral` with offset 0 for a text that is not valid for the type. Binary values may be base64 or
    /// base64url. Enumerations, streams and spatial values are not supported here. Source: OData ABNF, section 7.
    public init(parsing bytes: UnsafeBufferPointer<UInt8>, as type: EdmPrimitiveType) throws(Fault) {
        guard let value = Self.read(bytes, as: type) else {
            throw Fault(.invalidLiteral, "not a valid \(type.rawValue)", offset: 0)
        }
        self = value
    }

    /// Parses the text of a value like the initializer that takes bytes.
    ///
    /// - Throws: as that initializer.
    public init(parsing text: String, as type: EdmPrimitiveType) throws(Fault) {
        guard let value = withBytes(of: text, { Self.read($0, as: type) }) else {
            throw Fault(.invalidLiteral, "not a valid \(type.rawValue)", offset: 0)
        }
        self = value
    }

    static func read(_ bytes: UnsafeBufferPointer<UInt8>, as type: EdmPrimitiveType) -> ODataValue? {
        switch type {
        case .boolean: boolean(bytes)
        case .byte: Self.int64(bytes).flatMap { UInt8(exactly: $0) }.map(ODataValue.byte)
        case .sbyte: Self.int64(bytes).flatMap { Int8(exactly: $0) }.map(ODataValue.sbyte)
        case .int16: Self.int64(bytes).flatMap { Int16(exactly: $0) }.map(ODataValue.int16)
        case .int32: Self.int64(bytes).flatMap { Int32(exactly: $0) }.map(ODataValue.int32)
        case .int64: Self.int64(bytes).map(ODataValue.int64)
        case .decimal: EdmDecimal(bytes: bytes).map(ODataValue.decimal)
        case .double: Self.double(bytes).map(ODataValue.double)
        case .single: Self.single(bytes).map(ODataValue.single)
        case .string: .string(String(bytes: bytes))
        case .guid: EdmGuid(bytes: bytes).map(ODataValue.guid)
        case .binary: Base64.decode(bytes).map(ODataValue.binary)
        case .date: EdmDate(bytes: bytes).map(ODataValue.date)
        case .dateTime: EdmDateTime(bytes: bytes).map(ODataValue.dateTime)
        case .dateTimeOffset: EdmDateTimeOffset(bytes: bytes).map(ODataValue.dateTimeOffset)
        case .time: EdmDuration(bytes: bytes).map(ODataValue.time)
        case .timeOfDay: EdmTimeOfDay(bytes: bytes).map(ODataValue.timeOfDay)
        case .duration: EdmDuration(bytes: bytes).map(ODataValue.duration)
        default: type.isSpatial ? .spatial(type, String(bytes: bytes)) : nil
        }
    }

    private static func boolean(_ bytes: UnsafeBufferPointer<UInt8>) -> ODataValue? {
        if bytes.elementsEqual("true".utf8) {
            return .boolean(true)
        }
        return bytes.elementsEqual("false".utf8) ? .boolean(false) : nil
    }

    /// Reads an optional sign and digits; nil if the number does not fit into 64 bits.
    static func int64(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        var index = 0
        var negative = false
        if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
            negative = first == UInt8(ascii: "-")
            index = 1
        }
        guard index < bytes.count else { return nil }
        var value: Int64 = 0
        while index < bytes.count {
            let digit = Int64(bytes[index]) - 48
            guard digit >= 0, digit <= 9 else { return nil }
            let (product, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, carry) =
                negative ? product.subtractingReportingOverflow(digit) : product.addingReportingOverflow(digit)
            guard !overflow, !carry else { return nil }
            value = sum
            index += 1
        }
        return value
    }

    /// Reads a double; nil, not infinity, for a number that is out of range.
    static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        if let short = ShortNumber.double(bytes) {
            return short
        }
        if let special = special(bytes) {
            return special
        }
        guard isNumber(bytes), let value = Double(String(bytes: bytes)), value.isFinite else {
            return nil
        }
        return value
    }

    static func single(_ bytes: UnsafeBufferPointer<UInt8>) -> Float? {
        if let special = special(bytes) {
            return Float(special)
        }
        guard isNumber(bytes), let value = Float(String(bytes: bytes)), value.isFinite else {
            return nil
        }
        return value
    }

    private static func special(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        if bytes.elementsEqual("INF".utf8) {
            return .infinity
        }
        if bytes.elementsEqual("-INF".utf8) {
            return -.infinity
        }
        return bytes.elementsEqual("NaN".utf8) ? .nan : nil
    }

    /// Whether the bytes have the form of a number with optional sign, fraction and exponent. The standard library
    /// accepts other forms too, which OData does not allow.
    private static func isNumber(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        var reader = ByteReader(bytes)
        if !reader.eat(UInt8(ascii: "-")) {
            _ = reader.eat(UInt8(ascii: "+"))
        }
        guard reader.skipDigits() > 0 else { return false }
        if reader.eat(UInt8(ascii: ".")), reader.skipDigits() == 0 {
            return false
        }
        if reader.eat(UInt8(ascii: "e")) || reader.eat(UInt8(ascii: "E")) {
            if !reader.eat(UInt8(ascii: "-")) {
                _ = reader.eat(UInt8(ascii: "+"))
            }
            guard reader.skipDigits() > 0 else { return false }
        }
        return reader.isAtEnd
    }
}

extension ODataValue {
    /// The canonical text of a primitive or enumeration value, without quotes or prefixes; nil for null, complex values
    /// and collections.
    public var canonicalText: String? {
        switch self {
        case .null, .complex, .collection: nil
        case .boolean(let value): value ? "true" : "false"
        case .byte(let value): String(value)
        case .sbyte(let value): String(value)
        case .int16(let value): String(value)
        case .int32(let value): String(value)
        case .int64(let value): String(value)
        case .decimal(let value): value.description
        case .double(let value): Self.text(of: value)
        case .single(let value): Self.text(of: value)
        case .string(let value): value
        case .guid(let value): value.description
        case .binary(let value): Base64.encode(value)
        case .date(let value): value.description
        case .dateTime(let value): value.description
        case .dateTimeOffset(let value): value.description
        case .time(let value), .duration(let value): value.description
        case .timeOfDay(let value): value.description
        case .enumeration(_, let members): members
        case .spatial(_, let text): text
        }
    }

    /// The shortest text that reads back as the same number, or `INF`, `-INF` or `NaN`.
    private static func text(of value: some BinaryFloatingPoint & CustomStringConvertible) -> String {
        if value.isNaN {
            return "NaN"
        }
        if value.isInfinite {
            return value < 0 ? "-INF" : "INF"
        }
        return value.description
    }
}
