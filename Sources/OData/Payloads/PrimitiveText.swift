/// Reads the text of a primitive value as payloads write it, with what services send beyond the canonical forms.
///
/// White space around a value that is no string is not part of it (XML Schema, whiteSpace collapse); 0 and 1 are booleans of XML Schema; up to version 3
/// a DateTime may end in Z (odata.md 2.9), which is dropped.
enum PrimitiveText {
    @inline(__always)
    static func read(_ bytes: UnsafeBufferPointer<UInt8>, as type: EdmPrimitiveType, version: ODataVersion) -> ODataValue? {
        if let value = fast(bytes, type) { return value }
        var start = 0
        var end = bytes.count
        while start < end, bytes[start] <= 0x20 { start += 1 }
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        let text = UnsafeBufferPointer(rebasing: bytes[start..<end])
        if type == .boolean, text.count == 1, text[0] & 0xFE == 0x30 { return .boolean(text[0] == 0x31) }
        if type == .dateTime, !version.isV4, text.last == UInt8(ascii: "Z") {
            return ODataValue.read(UnsafeBufferPointer(rebasing: text.dropLast()), as: type)
        }
        return ODataValue.read(text, as: type)
    }

    /// Short plain integers and doubles, the most common numbers.
    @inline(__always)
    private static func fast(_ bytes: UnsafeBufferPointer<UInt8>, _ type: EdmPrimitiveType) -> ODataValue? {
        if type == .double, bytes.count <= 16, let decimal = EdmDecimal(bytes: bytes), decimal.significand != 0, (0...22).contains(decimal.scale) {
            // Digits that a double holds exactly, divided once by a power of ten: rounded right, without the way over a string.
            return .double(decimal.double)
        }
        guard type == .int32, bytes.count > 0, bytes.count <= 9 else { return nil }
        var value: Int32 = 0
        for byte in bytes {
            guard byte &- 0x30 <= 9 else { return nil }
            value = value * 10 + Int32(byte - 0x30)
        }
        return .int32(value)
    }
}
