extension EdmDecimal {
    /// Parses an optional sign, digits, an optional fraction and an optional exponent; nil for other texts and for more
    /// than 36 digits.
    public init?(_ text: String) {
        guard let value = withBytes(of: text, { EdmDecimal(bytes: $0) }) else { return nil }
        self = value
    }

    /// Parses the UTF-8 bytes of the text of a decimal; `nil` if they are malformed.
    public init?(bytes: UnsafeBufferPointer<UInt8>) {
        guard let text = DecimalText(bytes), let digits = Self.significand(of: text.digits) else { return nil }
        self.init(writing: digits, scale: text.scale, isNegative: text.isNegative)
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
        // Dividing 128 bits takes long, and most values have 64.
        let digits = UInt64(exactly: significand).map { String($0) } ?? String(significand)
        return DecimalText.canonical(digits, scale: scale, isNegative: isNegative)
    }
}
