/// Parses plain numbers of few digits, the most frequent ones, faster than the general parsers. Nil means only that the
/// general parser must be used.
enum ShortNumber {
    /// An optional minus and at most 18 digits.
    @inline(__always)
    static func integer(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        var index = 0
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative {
            index = 1
        }
        guard bytes.count > index, bytes.count - index <= 18 else { return nil }
        var value: Int64 = 0
        while index < bytes.count {
            let digit = bytes[index] &- 0x30
            guard digit <= 9 else { return nil }
            value = value &* 10 &+ Int64(digit)
            index += 1
        }
        return isNegative ? -value : value
    }

    /// A number of at most 15 digits. A double represents both its digits and the power of ten exactly, so the division
    /// is rounded only once, and correctly.
    @inline(__always)
    static func double(_ bytes: UnsafeBufferPointer<UInt8>) -> Double? {
        guard let parts = parts(bytes, atMost: 15) else { return nil }
        let value = parts.scale == 0 ? Double(parts.digits) : Double(parts.digits) / powers[parts.scale]
        return parts.isNegative ? -value : value
    }

    /// A number of at most 18 digits.
    @inline(__always)
    static func decimal(_ bytes: UnsafeBufferPointer<UInt8>) -> EdmDecimal? {
        guard let parts = parts(bytes, atMost: 18) else { return nil }
        return EdmDecimal(significand: UInt128(parts.digits), scale: parts.scale, isNegative: parts.isNegative)
    }

    /// An optional minus, digits, and an optional fraction; `scale` is the number of digits after the decimal point.
    @inline(__always)
    private static func parts(
        _ bytes: UnsafeBufferPointer<UInt8>, atMost limit: Int
    ) -> (digits: UInt64, scale: Int, isNegative: Bool)? {
        guard bytes.count <= limit + 2 else { return nil }
        var digits: UInt64 = 0
        var count = 0
        var point = -1
        let isNegative = bytes.first == UInt8(ascii: "-")
        for index in (isNegative ? 1 : 0)..<bytes.count {
            let digit = bytes[index] &- 0x30
            if digit <= 9 {
                digits = digits &* 10 &+ UInt64(digit)
                count += 1
            } else {
                guard bytes[index] == UInt8(ascii: "."), point < 0, count > 0 else { return nil }
                point = count
            }
        }
        guard count > 0, count <= limit, point != count else { return nil }
        return (digits, point < 0 ? 0 : count - point, isNegative)
    }

    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
    ]
}
