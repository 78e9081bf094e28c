/// Reads the text of a primitive value in a payload, including forms that are not canonical but common.
///
/// White space around a value other than a string is ignored (XML Schema, whiteSpace collapse). 0 and 1 are booleans in
/// XML Schema. Up to version 3.0 a DateTime may end in Z, which is dropped.
enum PrimitiveText {
    /// Reads the text of a value into an entry; nil if it is not valid for the type.
    @inline(__always)
    static func pack(
        _ bytes: UnsafeBufferPointer<UInt8>, as type: EdmPrimitiveType, version: ODataVersion,
        into entry: inout EntryContent
    ) -> PackedValue? {
        fast(bytes, type) ?? readPayload(bytes, as: type, version: version).map { entry.pack($0) }
    }

    /// Reads the most frequent values: plain ones of a type with a fixed size. Nil means only that the general function
    /// must be used.
    @inline(__always)
    private static func fast(_ bytes: UnsafeBufferPointer<UInt8>, _ type: EdmPrimitiveType) -> PackedValue? {
        switch type {
        case .int32: ShortNumber.integer(bytes).flatMap { Int32(exactly: $0) }.map { .int32($0) }
        case .int16: ShortNumber.integer(bytes).flatMap { Int16(exactly: $0) }.map { .int16($0) }
        case .int64: ShortNumber.integer(bytes).map { .int64($0) }
        case .double: ShortNumber.double(bytes).map { .double($0) }
        case .decimal: (ShortNumber.decimal(bytes) ?? EdmDecimal(bytes: bytes)).map { .decimal($0) }
        case .guid: EdmGuid(bytes: bytes).map { .guid($0) }
        case .dateTime: EdmDateTime(bytes: bytes).map { .dateTime($0) }
        case .dateTimeOffset: EdmDateTimeOffset(bytes: bytes).map { .dateTimeOffset($0) }
        case .boolean where bytes.count == 4 && bytes[0] == UInt8(ascii: "t") && bytes.elementsEqual("true".utf8):
            .boolean(true)
        case .boolean where bytes.count == 5 && bytes[0] == UInt8(ascii: "f") && bytes.elementsEqual("false".utf8):
            .boolean(false)
        default: nil
        }
    }

    /// Reads the text of a value of a payload; a decimal may have any number of digits.
    static func readPayload(
        _ bytes: UnsafeBufferPointer<UInt8>, as type: EdmPrimitiveType, version: ODataVersion
    ) -> ODataValue? {
        read(bytes, as: type, version: version) ?? LongDecimal.read(trimmed(bytes), as: type)
            ?? (type == .binary ? brokenBinary(bytes) : nil)
    }

    /// Reads base64 with line breaks and other blanks between its characters, as XML Schema allows.
    private static func brokenBinary(_ bytes: UnsafeBufferPointer<UInt8>) -> ODataValue? {
        let characters = bytes.filter { $0 > 0x20 }
        guard characters.count < bytes.count else { return nil }
        return characters.withUnsafeBufferPointer { ODataValue.read($0, as: .binary) }
    }

    /// Whether the value of a boolean attribute is true.
    static func isTrue(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        let text = trimmed(bytes)
        return text.elementsEqual("true".utf8) || text.elementsEqual("1".utf8)
    }

    static func read(
        _ bytes: UnsafeBufferPointer<UInt8>, as type: EdmPrimitiveType, version: ODataVersion
    ) -> ODataValue? {
        guard type != .string else {
            return .string(String(bytes: bytes))
        }
        let text = trimmed(bytes)
        if type == .boolean, text.count == 1, text[0] & 0xFE == 0x30 {
            return .boolean(text[0] == 0x31)
        }
        if type == .dateTime, !version.isV4, text.last == UInt8(ascii: "Z") {
            return ODataValue.read(UnsafeBufferPointer(rebasing: text.dropLast()), as: type)
        }
        if type.isSpatial, !type.includes(literal: text) {
            return nil
        }
        return ODataValue.read(text, as: type)
    }

    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var start = 0
        var end = bytes.count
        while start < end, bytes[start] <= 0x20 {
            start += 1
        }
        while end > start, bytes[end - 1] <= 0x20 {
            end -= 1
        }
        return UnsafeBufferPointer(rebasing: bytes[start..<end])
    }
}
