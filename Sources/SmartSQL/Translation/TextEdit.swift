/// A replacement of some bytes of a text.
struct TextEdit {
    var offset: Int
    var removed: Int
    var text: [UInt8]

    /// Applies edits, which must be sorted by offset. O(n).
    static func apply(_ edits: [TextEdit], to bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + edits.reduce(0) { $0 + $1.text.count })
        var copied = bytes.startIndex
        for edit in edits {
            result += bytes[copied..<edit.offset]
            result += edit.text
            copied = edit.offset + edit.removed
        }
        result += bytes[copied...]
        return result
    }
}
