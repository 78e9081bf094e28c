/// Says what to put into a text in place of some of its bytes.
struct TextEdit {
    var place: Int
    var removed: Int
    var text: [UInt8]

    /// Applies edits in order of place. Linear.
    static func apply(_ edits: [TextEdit], to bytes: ArraySlice<UInt8>) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + edits.reduce(0) { $0 + $1.text.count })
        var copied = bytes.startIndex
        for edit in edits {
            result += bytes[copied..<edit.place]
            result += edit.text
            copied = edit.place + edit.removed
        }
        result += bytes[copied...]
        return result
    }
}
