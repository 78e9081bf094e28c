extension JSONNumber {
    /// The one text of this decimal value: plain digits while that takes few zeros, else scientific, `1.25e-9`.
    var canonicalText: [UInt8] {
        let form = DecimalForm(text.utf8)
        if form.digits.isEmpty { return [0x30] }
        let digits = form.digits.map { $0 + 0x30 }
        var output: [UInt8] = form.isNegative ? [0x2D] : []
        let point = form.exponent + Int128(digits.count)
        if form.hugeExponent.isEmpty, form.exponent >= 0, point <= 21 {
            output += digits + repeatElement(0x30, count: Int(form.exponent))
        } else if form.hugeExponent.isEmpty, form.exponent < 0, point > 0 {
            output += digits[..<Int(point)] + [0x2E] + digits[Int(point)...]
        } else if form.hugeExponent.isEmpty, form.exponent < 0, point > -6 {
            output += [0x30, 0x2E] + repeatElement(0x30, count: Int(-point)) + digits
        } else {
            output += scientific(form, digits)
        }
        return output
    }

    private func scientific(_ form: DecimalForm, _ digits: [UInt8]) -> [UInt8] {
        // An exponent beyond reach stays with the digits as they are: what it would be after moving the point is not known.
        guard form.hugeExponent.isEmpty else { return Array(text.utf8.drop { $0 == 0x2D }) }
        let fraction = digits.count > 1 ? [0x2E] + digits[1...] : []
        return [digits[0]] + fraction + [0x65] + Array(String(form.exponent + Int128(digits.count) - 1).utf8)
    }
}
