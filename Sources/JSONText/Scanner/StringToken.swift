/// The place of a string's text between its quotes, and what is known about it.
@usableFromInline struct StringToken: BitwiseCopyable {
    @usableFromInline let start: Int
    @usableFromInline let end: Int
    /// Whether any escape is in it: without one the bytes are the text.
    @usableFromInline let isEscaped: Bool

    @inlinable init(start: Int, end: Int, isEscaped: Bool) {
        self.start = start
        self.end = end
        self.isEscaped = isEscaped
    }
}
