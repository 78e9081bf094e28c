/// A number of at most 18 digits and a small power of ten.
struct ShortDecimal {
    private var isNegative = false
    private var digits: UInt64 = 0
    private var exponent = 0

    /// Nil for more digits or a larger exponent.
    init?(_ text: UnsafeRawBufferPointer) {
        var count = 0
        var index = 0
        if !text.isEmpty, text[0] == 0x2D {
            isNegative = true
            index = 1
        }
        var afterPoint = false
        while index < text.count {
            let byte = text[index]
            if byte &- 0x30 < 10 {
                if digits > 0 || byte != 0x30 {
                    count += 1
                }
                guard count <= 18 else { return nil }
                digits = digits * 10 + UInt64(byte &- 0x30)
                if afterPoint {
                    exponent -= 1
                }
            } else if byte == 0x2E {
                afterPoint = true
            } else {
                break
            }
            index += 1
        }
        if index < text.count, !addExponent(text, from: index + 1) {
            return nil
        }
        guard digits > 0 else {
            exponent = 0
            return
        }
        while exponent < 0, digits % 10 == 0 {
            digits /= 10
            exponent += 1
        }
    }

    private mutating func addExponent(_ text: UnsafeRawBufferPointer, from start: Int) -> Bool {
        var index = start
        var written = 0
        var isNegative = false
        if index < text.count, text[index] == 0x2B || text[index] == 0x2D {
            isNegative = text[index] == 0x2D
            index += 1
        }
        guard text.count - index <= 4 else { return false }
        while index < text.count {
            written = written * 10 + Int(text[index] &- 0x30)
            index += 1
        }
        exponent += isNegative ? -written : written
        return true
    }

    /// The exact integer, if the number is an integer of 64 bits.
    var integer: Int64? {
        guard exponent >= 0 else { return nil }
        var magnitude = digits
        if magnitude > 0 {
            for _ in 0..<min(exponent, 20) {
                let (product, overflow) = magnitude.multipliedReportingOverflow(by: 10)
                if overflow {
                    return nil
                }
                magnitude = product
            }
        }
        return isNegative ? Int64(exactly: -Int128(magnitude)) : Int64(exactly: magnitude)
    }

    /// The nearest double, if both the digits and the power of ten are exact doubles, so that the result is rounded
    /// only once; otherwise nil.
    var exactDouble: Double? {
        guard digits < 1 << 53, exponent >= -22, exponent <= 22 else { return nil }
        var power = 1.0
        for _ in 0..<abs(exponent) {
            power *= 10
        }
        let magnitude = exponent < 0 ? Double(digits) / power : Double(digits) * power
        return isNegative ? -magnitude : magnitude
    }
}
