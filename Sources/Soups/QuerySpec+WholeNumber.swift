import JSONText

extension QuerySpec.Key {
    /// The integer that a key with a point or an exponent represents, such as `9007199254740993.0`; nil for other keys.
    ///
    /// An index has such a value exactly. The double that SQLite would make of the key may be another number.
    package var wholeNumber: Int64? {
        switch self {
        case .number(let digits): Self.wholeNumber(digits)
        case .string(let text): Self.hasPointOrExponent(text) ? Self.wholeNumber(text) : nil
        case .integer, .floating, .boolean: nil
        }
    }

    private static func hasPointOrExponent(_ text: String) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: ".") || $0 | 0x20 == UInt8(ascii: "e") }
    }

    private static func wholeNumber(_ text: String) -> Int64? {
        guard case .number(let number)? = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
        return number.int64
    }
}
