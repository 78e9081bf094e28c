extension String {
    /// The text with every byte of its UTF-8 that is not plain as `%` and two upper-case hexadecimal digits. O(n).
    ///
    /// Source: RFC 3986, section 2.1.
    package func percentEncoded(keeping isPlain: (UInt8) -> Bool) -> String {
        guard !utf8.allSatisfy(isPlain) else {
            return self
        }
        let digits = Array("0123456789ABCDEF".utf8)
        var result: [UInt8] = []
        result.reserveCapacity(utf8.count)
        for byte in utf8 {
            if isPlain(byte) {
                result.append(byte)
            } else {
                result += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

extension UInt8 {
    /// Whether the byte is an unreserved character of URLs: an ASCII letter or digit, `-`, `.`, `_` or `~`.
    ///
    /// Source: RFC 3986, section 2.3.
    package var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
