import StepCounting

/// The characters of names: a letter or `_`, then letters, digits, marks, connectors and formatting characters, at most
/// 128 in all.
///
/// Source: OData ABNF, rule `odataIdentifier`, with the Unicode categories of its comment (L and Nl, then also Nd, Mn,
/// Mc, Pc, Cf).
enum Identifier {
    static let maximumLength = 128

    @inline(__always) static func isASCIIPart(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || byte == UInt8(ascii: "_")
    }

    static func isStart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .letterNumber: true
        default: false
        }
    }

    static func isPart(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .decimalNumber, .nonspacingMark, .spacingMark, .connectorPunctuation, .format: true
        default: isStart(scalar)
        }
    }

    /// The end of the name that starts at an offset; nil if there is none or if it is too long.
    static func end(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var position = start
        while position < bytes.count, isASCIIPart(bytes[position]) {
            position += 1
        }
        StepCounter.add(1 + position - start)
        if position == bytes.count || bytes[position] < 0x80 {
            guard position > start, bytes[start] &- 0x30 >= 10, position - start <= maximumLength else {
                return nil
            }
            return position
        }
        return endOfUnicode(in: bytes, from: start)
    }

    private static func endOfUnicode(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var position = start
        var count = 0
        while position < bytes.count {
            guard let (scalar, length) = scalar(in: bytes, at: position) else { break }
            let fits = scalar == "_" || (count == 0 ? isStart(scalar) : isPart(scalar))
            guard fits else { break }
            position += length
            count += 1
        }
        return count > 0 && count <= maximumLength ? position : nil
    }

    /// Decodes the character at an offset. The bytes must be valid UTF-8.
    static func scalar(in bytes: UnsafeBufferPointer<UInt8>, at position: Int) -> (Unicode.Scalar, Int)? {
        let first = bytes[position]
        let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
        guard position + length <= bytes.count else { return nil }
        var value = length == 1 ? UInt32(first) : UInt32(first) & (0x7F >> UInt32(length))
        for index in stride(from: 1, to: length, by: 1) {
            value = value << 6 | UInt32(bytes[position + index] & 0x3F)
        }
        return Unicode.Scalar(value).map { ($0, length) }
    }
}
