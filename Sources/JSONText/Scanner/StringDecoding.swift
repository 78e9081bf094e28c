/// Decodes the text of strings whose escapes a `ByteScanner` has checked. The decoded text is never longer than the
/// written one.
enum StringDecoding {
    /// Decodes the character at the position (one byte, or a whole escape), passes its UTF-8 bytes to the closure and
    /// advances the position.
    @inline(__always) static func step(_ source: UnsafePointer<UInt8>, _ position: inout Int, _ put: (UInt8) -> Void) {
        let byte = source[position]
        guard byte == 0x5C else {
            put(byte)
            position += 1
            return
        }
        let kind = source[position + 1]
        guard kind == 0x75 else {
            put(plainEscape(kind))
            position += 2
            return
        }
        var scalar = unit(source, position)
        position += 6
        if scalar & 0xFC00 == 0xD800 {
            scalar = 0x10000 + (scalar & 0x3FF) << 10 + (unit(source, position) & 0x3FF)
            position += 6
        }
        encode(scalar, put)
    }

    /// Appends the decoded text of a range.
    static func append(_ source: UnsafePointer<UInt8>, from start: Int, to end: Int, into text: inout [UInt8]) {
        var position = start
        while position < end {
            step(source, &position) { text.append($0) }
        }
    }

    /// The decoded text of a token.
    static func string(_ source: UnsafePointer<UInt8>, _ token: StringToken) -> String {
        let length = token.end - token.start
        guard token.isEscaped else {
            return String(decoding: UnsafeBufferPointer(start: source + token.start, count: length), as: UTF8.self)
        }
        return String(unsafeUninitializedCapacity: length) { buffer in
            var count = 0
            var position = token.start
            while position < token.end {
                step(source, &position) { byte in
                    buffer[count] = byte
                    count += 1
                }
            }
            return count
        }
    }

    /// Whether two written texts have the same decoded text.
    static func same(
        _ a: UnsafePointer<UInt8>, _ first: StringToken, _ b: UnsafePointer<UInt8>, _ second: StringToken
    ) -> Bool {
        var left = DecodedBytes(a, first)
        var right = DecodedBytes(b, second)
        while true {
            let byte = left.next()
            guard byte == right.next() else { return false }
            if byte == nil {
                return true
            }
        }
    }

    private static func plainEscape(_ kind: UInt8) -> UInt8 {
        switch kind {
        case 0x62: 0x08
        case 0x66: 0x0C
        case 0x6E: 0x0A
        case 0x72: 0x0D
        case 0x74: 0x09
        default: kind
        }
    }

    private static func unit(_ source: UnsafePointer<UInt8>, _ backslash: Int) -> UInt32 {
        var value: UInt32 = 0
        for index in backslash + 2..<backslash + 6 {
            value = value << 4 | (hexValue(source[index]) ?? 0)
        }
        return value
    }

    private static func encode(_ scalar: UInt32, _ put: (UInt8) -> Void) {
        switch scalar {
        case 0..<0x80:
            put(UInt8(scalar))
        case 0x80..<0x800:
            put(UInt8(0xC0 | scalar >> 6))
            put(UInt8(0x80 | scalar & 0x3F))
        case 0x800..<0x10000:
            put(UInt8(0xE0 | scalar >> 12))
            put(UInt8(0x80 | scalar >> 6 & 0x3F))
            put(UInt8(0x80 | scalar & 0x3F))
        default:
            put(UInt8(0xF0 | scalar >> 18 & 0x07))
            put(UInt8(0x80 | scalar >> 12 & 0x3F))
            put(UInt8(0x80 | scalar >> 6 & 0x3F))
            put(UInt8(0x80 | scalar & 0x3F))
        }
    }
}
