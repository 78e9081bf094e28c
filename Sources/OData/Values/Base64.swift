import StepCounting

/// Decodes and encodes `Edm.Binary` values: base64, base64url and, for versions 1.0 to 3.0, hexadecimal digits.
///
/// Source: RFC 4648, sections 4, 5 and 8; OData ABNF, rule `binaryValue`.
public enum Base64 {
    /// Decodes either alphabet (`+/` or `-_`), with or without padding; nil for other bytes, an invalid length or
    /// unused bits that are not zero.
    public static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var end = bytes.count
        while end > 0, bytes.count - end < 2, bytes[end - 1] == UInt8(ascii: "=") {
            end -= 1
        }
        if end < bytes.count, bytes.count % 4 != 0 {
            return nil
        }
        guard end % 4 != 1 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(end * 3 / 4)
        var buffer: UInt32 = 0
        var bits = 0
        for index in 0..<end {
            guard let value = value(of: bytes[index]) else { return nil }
            buffer = buffer << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                result.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
                buffer &= 1 << UInt32(bits) - 1
            }
        }
        return buffer == 0 ? result : nil
    }

    /// Decodes the UTF-8 bytes of a text.
    public static func decode(_ text: String) -> [UInt8]? { withBytes(of: text) { decode($0) } }

    /// Encodes bytes as padded base64 in the standard alphabet or in the URL alphabet.
    public static func encode(_ bytes: [UInt8], forURL: Bool = false) -> String {
        StepCounter.add(bytes.count)
        let alphabet =
            Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
            + Array((forURL ? "-_" : "+/").utf8)
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let count = bytes.count - index
            var group: UInt32 = 0
            for step in 0..<3 {
                group = group << 8 | (step < count ? UInt32(bytes[index + step]) : 0)
            }
            for step in 0..<4 {
                text.append(step <= count ? alphabet[Int(group >> UInt32(18 - 6 * step) & 63)] : UInt8(ascii: "="))
            }
            index += 3
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Decodes pairs of hexadecimal digits; nil for other text.
    public static func decodeHex(_ bytes: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        guard bytes.count % 2 == 0 else { return nil }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count / 2)
        for index in stride(from: 0, to: bytes.count, by: 2) {
            guard let high = EdmGuid.value(ofHexDigit: bytes[index]),
                let low = EdmGuid.value(ofHexDigit: bytes[index + 1])
            else {
                return nil
            }
            result.append(high << 4 | low)
        }
        return result
    }

    /// Encodes bytes with the alphabet for URLs and without padding.
    static func encodeUnpadded(_ bytes: [UInt8]) -> String {
        let padded = encode(bytes, forURL: true)
        return String(padded[..<(padded.utf8.firstIndex(of: UInt8(ascii: "=")) ?? padded.utf8.endIndex)])
    }

    /// Encodes bytes as pairs of upper-case hexadecimal digits.
    public static func encodeHex(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - 65
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - 71
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte + 4
        case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
        case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
