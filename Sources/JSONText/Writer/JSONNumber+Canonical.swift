extension JSONNumber {
    /// The canonical text of the decimal value: plain digits if that needs few zeros, otherwise scientific, `1.25e-9`.
    var canonicalText: [UInt8] {
        let form = DecimalForm(text.utf8)
        if form.digits.isEmpty {
            return [0x30]
        }
        let digits = form.digits.map { $0 + 0x30 }
        let output: [UInt8] = form.isNegative ? [0x2D] : []
        if !form.hugeExponent.isEmpty {
            // The exponent is kept as text and cannot be adjusted, so the decimal point of the digits is not moved.
            return output + plain(digits, form.exponent) + [0x65] + form.hugeExponent
        }
        let point = form.exponent + Int128(digits.count)
        return output + (point > -6 && point <= 21 ? plain(digits, form.exponent) : scientific(digits, point - 1))
    }

    /// The digits with the decimal point inserted, or with the zeros that are needed before it.
    private func plain(_ digits: [UInt8], _ exponent: Int128) -> [UInt8] {
        let point = exponent + Int128(digits.count)
        if exponent >= 0 {
            return digits + repeatElement(0x30, count: Int(exponent))
        }
        if point > 0 {
            return digits[..<Int(point)] + [0x2E] + digits[Int(point)...]
        }
        return [0x30, 0x2E] + repeatElement(0x30, count: Int(-point)) + digits
    }

    private func scientific(_ digits: [UInt8], _ exponent: Int128) -> [UInt8] {
        let fraction = digits.count > 1 ? [0x2E] + digits[1...] : []
        return [digits[0]] + fraction + [0x65] + Array(String(exponent).utf8)
    }
}
