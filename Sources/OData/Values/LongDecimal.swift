/// An `Edm.Decimal` of a payload with more digits than an `EdmDecimal` has room for. It is read as its canonical text,
/// so that one such value does not make a whole payload unreadable and no digit is lost.
enum LongDecimal {
    /// The maximum number of digits, as many as the scale of an `EdmDecimal` may have.
    private static let maximumDigits = EdmDecimal.maximumScale

    /// The value of a text; nil for another type, for a text that is not a decimal or is too long, and for one that an
    /// `EdmDecimal` holds.
    static func read(_ bytes: UnsafeBufferPointer<UInt8>, as type: EdmPrimitiveType) -> ODataValue? {
        guard type == .decimal, let text = DecimalText(bytes) else { return nil }
        let digits = text.digits.filter { $0 != UInt8(ascii: ".") }.drop { $0 == UInt8(ascii: "0") }
        guard digits.count > EdmDecimal.maximumDigits, digits.count <= maximumDigits else { return nil }
        return .string(
            DecimalText.canonical(
                String(decoding: digits, as: UTF8.self), scale: text.scale, isNegative: text.isNegative))
    }
}
