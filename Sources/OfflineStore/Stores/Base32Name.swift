/// Names of long texts: `=`, which no other name begins with, and the bytes of the text in Base32 in lower case,
/// without padding. Source: RFC 4648, section 6.
enum Base32Name {
    private static let prefix = UInt8(ascii: "=")
    private static let digits = Array("abcdefghijklmnopqrstuvwxyz234567".utf8)

    static func encode(_ text: String) -> String {
        var name = [prefix]
        var buffer: UInt32 = 0
        var bits = 0
        for byte in text.utf8 {
            buffer = buffer << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                name.append(digits[Int(buffer >> UInt32(bits) & 31)])
            }
        }
        if bits > 0 {
            name.append(digits[Int(buffer << UInt32(5 - bits) & 31)])
        }
        return String(decoding: name, as: UTF8.self)
    }

    /// The bytes of a name; nil for any other name. The bits after the last byte are not checked.
    static func bytes(of name: String) -> [UInt8]? {
        guard name.utf8.first == prefix else { return nil }
        var bytes: [UInt8] = []
        var buffer: UInt32 = 0
        var bits = 0
        for character in name.utf8.dropFirst() {
            guard let digit = digits.firstIndex(of: character) else { return nil }
            buffer = buffer << 5 | UInt32(digit)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
            }
        }
        return bytes
    }
}
