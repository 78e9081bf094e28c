/// A token as the bytes from `start` up to `end` of its text.
struct SOQLSpan {
    var kind: SOQLToken.Kind
    /// Byte offsets into the text.
    var start: Int
    var end: Int

    var count: Int { end - start }
    var range: Range<Int> { start..<end }
}
