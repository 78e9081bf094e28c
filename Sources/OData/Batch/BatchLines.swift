import StepCounting

/// The lines of a text with CRLF or LF, one after the other, without their ends.
struct BatchLines {
    let bytes: ArraySlice<UInt8>
    /// The offset of the next line.
    private(set) var position: Int
    /// The offset of the line that was returned last.
    private(set) var start: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
        start = position
    }

    var isAtEnd: Bool { position >= bytes.endIndex }

    /// What follows the line that was returned last.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    /// The next line; nil at the end.
    mutating func next() -> ArraySlice<UInt8>? {
        guard position < bytes.endIndex else { return nil }
        start = position
        let end = bytes[position...].firstIndex(of: 0x0A) ?? bytes.endIndex
        StepCounter.add(1 + end - start)
        position = min(end + 1, bytes.endIndex)
        return end > start && end < bytes.endIndex && bytes[end - 1] == 0x0D
            ? bytes[start..<end - 1] : bytes[start..<end]
    }
}
