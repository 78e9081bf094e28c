extension EdmDecimal {
    /// Parses an optional sign, digits, an optional fraction and an optional exponent; nil for other texts and for more
    /// than 36 digits.
    public init?(_ text: String) {
        guard let value = withBytes(of: text, { EdmDecimal(bytes: $0) }) else { return nil }
        self = value
    }

    /// Parses the UTF-8 bytes of such a text; nil if they are malformed.
    public init?(bytes: UnsafeBufferPointer<UInt8>) {
        var reader = ByteReader(bytes)
        let negative = reader.eat(UInt8(ascii: "-"))
        if !negative {
            _ = reader.eat(UInt8(ascii: "+"))
        }
        let start = reader.position
        guard reader.skipDigits() > 0 else { return nil }
        var scale = 0
        if reader.eat(UInt8(ascii: ".")) {
            scale = reader.skipDigits()
            guard scale > 0 else { return nil }
        }
        let end = reader.position
        if reader.eat(UInt8(ascii: "e")) || reader.eat(UInt8(ascii: "E")) {
            let minus = reader.eat(UInt8(ascii: "-"))
            if !minus {
                _ = reader.eat(UInt8(ascii: "+"))
            }
            guard let exponent = reader.number(), exponent <= Self.maximumScale else { return nil }
            scale += minus ? exponent : -exponent
        }
        guard reader.isAtEnd, abs(scale) <= Self.maximumScale,
            let digits = Self.significand(of: UnsafeBufferPointer(rebasing: bytes[start..<end]))
        else {
            return nil
        }
        self.init(writing: digits, scale: scale, isNegative: negative)
    }

    /// Creates a decimal from digits and a scale. A negative scale is replaced by trailing zeros if there is room for
    /// them.
    private init(writing digits: UInt128, scale: Int, isNegative: Bool) {
        if scale < 0, Self.digits(of: digits) - scale <= Self.maximumDigits {
            self.init(significand: digits * Self.powers[-scale], scale: 0, isNegative: isNegative)
        } else {
            self.init(significand: digits, scale: digits == 0 ? max(scale, 0) : scale, isNegative: isNegative)
        }
    }

    /// Reads digits with at most one decimal point. Leading zeros do not count as digits.
    private static func significand(of bytes: UnsafeBufferPointer<UInt8>) -> UInt128? {
        var small: UInt64 = 0
        var value: UInt128 = 0
        var count = 0
        for byte in bytes where byte != UInt8(ascii: ".") {
            let digit = byte - 48
            if count == 0, digit == 0 {
                continue
            }
            count += 1
            if count <= 19 {
                small = small * 10 + UInt64(digit)
            } else {
                if count == 20 {
                    value = UInt128(small)
                }
                guard count <= maximumDigits else { return nil }
                value = value * 10 + UInt128(digit)
            }
        }
        return count <= 19 ? UInt128(small) : value
    }
}

extension EdmDecimal: CustomStringConvertible {
    /// The canonical text: with the original scale, without a plus, and with an exponent only if plain digits would be
    /// more than twice the allowed length.
    public var description: String {
        let digits = String(significand)
        let sign = isNegative ? "-" : ""
        if scale == 0 {
            return sign + digits
        }
        if scale < 0 || scale > 2 * Self.maximumDigits {
            return sign + digits + "e\(-scale)"
        }
        let count = digits.utf8.count
        if count <= scale {
            return sign + "0." + String(repeating: "0", count: scale - count) + digits
        }
        return sign + digits.prefix(count - scale) + "." + digits.suffix(scale)
    }
}
