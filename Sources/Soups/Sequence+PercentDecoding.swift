extension Sequence<UInt8> {
    /// The text of percent-encoded bytes; nil for a percent sign without two hexadecimal digits, and for bytes that are
    /// not UTF-8. O(n).
    ///
    /// - Parameter plusIsBlank: Whether a plus is read as a blank, as services read it in queries.
    ///
    /// Source: RFC 3986, section 2.1.
    package func percentDecoded(plusIsBlank: Bool = false) -> String? {
        var bytes: [UInt8] = []
        var iterator = makeIterator()
        while let byte = iterator.next() {
            switch byte {
            case UInt8(ascii: "+") where plusIsBlank: bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard let high = iterator.next()?.hexadecimalValue, let low = iterator.next()?.hexadecimalValue else {
                    return nil
                }
                bytes.append(high << 4 | low)
            default: bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit in either case; nil for any other byte.
    fileprivate var hexadecimalValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
