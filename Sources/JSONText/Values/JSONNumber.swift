/// A number, stored as the text in which it was written, so that no digits are lost: `1`, `1.0`, `1e400` and forty
/// digits are all kept.
public struct JSONNumber: Sendable {
    /// The number as written, in the grammar of RFC 8259, section 6.
    public let text: String

    /// Creates a number from a text that is known to be a valid JSON number.
    init(validated text: String) { self.text = text }

    /// Creates a number from an integer.
    public init(_ value: Int64) { text = String(value) }

    /// Creates a number from a double in its shortest text; nil for infinities and NaN, which JSON does not have.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = Self.shortest(value)
    }
}
