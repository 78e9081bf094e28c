/// An `Edm.Guid`: 128 bits. The case of its digits does not matter, because the bits are compared.
public struct EdmGuid: Sendable, Hashable, BitwiseCopyable {
    /// The first eight bytes, in the order of the text.
    public let high: UInt64
    /// The last eight bytes, in the order of the text.
    public let low: UInt64

    /// Creates a value from its two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Parses hexadecimal digits in the form 8-4-4-4-12, without braces; nil for other text.
    public init?(_ text: String) {
        guard let value = withBytes(of: text, { EdmGuid(bytes: $0) }) else { return nil }
        self = value
    }

    /// Parses the UTF-8 bytes of the text of a GUID; `nil` if they are malformed.
    public init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count == 36 else { return nil }
        guard bytes[8] == UInt8(ascii: "-"), bytes[13] == UInt8(ascii: "-"), bytes[18] == UInt8(ascii: "-"),
            bytes[23] == UInt8(ascii: "-")
        else {
            return nil
        }
        var isValid = true
        // Without branches that depend on the digits, because they are random and could not be predicted.
        func number(_ range: Range<Int>) -> UInt64 {
            var value: UInt64 = 0
            for index in range {
                let digit = bytes[index] &- 48
                let letter = (bytes[index] | 0x20) &- 97
                isValid = (digit < 10 || letter < 6) && isValid
                value = value << 4 | UInt64(digit < 10 ? digit : letter &+ 10)
            }
            return value
        }
        let high = number(0..<8) << 32 | number(9..<13) << 16 | number(14..<18)
        let low = number(19..<23) << 48 | number(24..<36)
        guard isValid else { return nil }
        self.init(high: high, low: low)
    }

    static func value(ofHexDigit byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 55
        default: nil
        }
    }
}

extension EdmGuid: CustomStringConvertible {
    /// The canonical text: lower-case digits.
    public var description: String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for index in 0..<32 {
            if index == 8 || index == 12 || index == 16 || index == 20 {
                text.append(UInt8(ascii: "-"))
            }
            let word = index < 16 ? high : low
            text.append(digits[Int(word >> UInt64(60 - 4 * (index % 16)) & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
