/// The parts of the text of a decimal: an optional sign, digits, an optional fraction and an optional exponent.
struct DecimalText {
    /// The digits with at most one decimal point.
    let digits: UnsafeBufferPointer<UInt8>
    /// The number of digits after the decimal point; negative if zeros follow the digits (`1e40`).
    let scale: Int
    /// Whether there is a minus sign.
    let isNegative: Bool

    /// Reads a text; nil if it is malformed, or if the scale is beyond `EdmDecimal.maximumScale`.
    @inline(__always)
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var reader = ByteReader(bytes)
        isNegative = reader.eat(UInt8(ascii: "-"))
        if !isNegative {
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
            guard let exponent = reader.number(), exponent <= EdmDecimal.maximumScale else { return nil }
            scale += minus ? exponent : -exponent
        }
        guard reader.isAtEnd, abs(scale) <= EdmDecimal.maximumScale else { return nil }
        digits = UnsafeBufferPointer(rebasing: bytes[start..<end])
        self.scale = scale
    }

    /// The canonical text of digits without leading zeros: without a plus, and with an exponent only if plain digits
    /// would be more than twice as long as an `EdmDecimal`.
    static func canonical(_ digits: String, scale: Int, isNegative: Bool) -> String {
        let sign = isNegative ? "-" : ""
        if scale == 0 {
            return sign + digits
        }
        let count = digits.utf8.count
        if scale < 0 || scale > max(2 * EdmDecimal.maximumDigits, count) {
            return sign + digits + "e\(-scale)"
        }
        if count <= scale {
            return sign + "0." + String(repeating: "0", count: scale - count) + digits
        }
        return sign + digits.prefix(count - scale) + "." + digits.suffix(scale)
    }
}
