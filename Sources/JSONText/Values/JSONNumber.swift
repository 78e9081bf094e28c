/// Holds a number by the text it was written in, so that nothing is lost: `1`, `1.0`, `1e400` and forty digits all stay
/// what they are.
public struct JSONNumber: Sendable {
    /// The number as written, in the grammar of RFC 8259, section 6.
    public let text: String

    /// Takes a text that is known to fit the grammar of a JSON number.
    init(validated text: String) { self.text = text }

    public init(_ value: Int64) { text = String(value) }

    /// Takes a double in its shortest text; nil for infinities and NaN, which JSON cannot carry.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        text = Self.shortest(value)
    }
}
