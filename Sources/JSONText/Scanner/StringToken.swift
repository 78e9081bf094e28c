/// The range of a string's text between its quotes, and whether it has escapes.
@usableFromInline struct StringToken: BitwiseCopyable {
    @usableFromInline let start: Int
    @usableFromInline let end: Int
    /// Whether the text has escapes. Without escapes the bytes are the text.
    @usableFromInline let isEscaped: Bool

    @inlinable init(start: Int, end: Int, isEscaped: Bool) {
        self.start = start
        self.end = end
        self.isEscaped = isEscaped
    }
}
