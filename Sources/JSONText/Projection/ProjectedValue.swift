/// What a path leads to in a document.
public struct ProjectedValue: BitwiseCopyable {
    public enum Kind: UInt8, Sendable, BitwiseCopyable {
        /// There is nothing at the path; also where a path through arrays collected nothing.
        case missing
        case null, `true`, `false`, number, string, object, array
        /// The values that a path through one or more arrays collected, as an array. It exists only as text made from
        /// its parts.
        case collected
    }

    public internal(set) var kind = Kind.missing
    /// Where the value stands in the document, quotes and brackets included; empty for `missing` and `collected`.
    public var range: Range<Int> { start..<end }
    /// Where the first U+0000 in the value stands (the backslash of its escape), if there is one.
    public var nulOffset: Int? { nul < 0 ? nil : nul }

    var start = 0
    var end = 0
    var nul = -1
    /// Whether a number is written as an integer.
    var isInteger = false
    /// Whether a string has escapes.
    var isEscaped = false
    /// The first and last part of what is collected.
    var firstPart: Int32 = -1
    var lastPart: Int32 = -1
    /// The text that had to be made, once it was asked for.
    var madeText: UnsafeRawPointer?
    var madeCount = 0

    init() {}

    var token: StringToken { StringToken(start: start + 1, end: end - 1, isEscaped: isEscaped) }
}
