/// The value of a path in a document.
public struct ProjectedValue: BitwiseCopyable {
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// There is no value at the path, or a path through arrays collected nothing.
        case missing
        case null, `true`, `false`, number, string, object, array
        /// An array of the values that a path through one or more arrays collected. It exists only as text that is
        /// created from its parts.
        case collected
    }

    public internal(set) var kind = Kind.missing
    /// The range of the value in the document, with quotes and brackets; empty for `missing` and `collected`.
    public var range: Range<Int> { start..<end }
    /// The offset of the first U+0000 in the value (of the backslash of its escape), if there is one.
    public var nulOffset: Int? { nul < 0 ? nil : nul }

    var start = 0
    var end = 0
    var nul = -1
    /// Whether a number is written as an integer.
    var isInteger = false
    /// Whether a string has escapes.
    var isEscaped = false
    /// The indexes of the first and last collected parts.
    var firstPart: Int32 = -1
    var lastPart: Int32 = -1
    /// The text that was created on the first request.
    var madeText: UnsafeRawPointer?
    var madeCount = 0

    init() {}

    var token: StringToken { StringToken(start: start + 1, end: end - 1, isEscaped: isEscaped) }
}
