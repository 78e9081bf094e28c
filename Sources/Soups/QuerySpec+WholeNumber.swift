import JSONText

extension QuerySpec.Key {
    /// The whole number that the text of a key is in JSON, such as `9007199254740993.0`; nil for other keys.
    ///
    /// An index has such a value exactly. The double that SQLite would make of a text with a point or an exponent may be
    /// another number.
    package var wholeNumber: Int64? {
        switch self {
        case .number(let text), .string(let text):
            guard case .number(let number)? = try? JSONValue(parsing: Array(text.utf8)) else { return nil }
            return number.int64
        case .integer, .floating, .boolean: return nil
        }
    }
}
