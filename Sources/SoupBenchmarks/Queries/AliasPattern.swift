/// Searches `([^ ]+)\.json_extract\(soup` as a backtracking engine does, which was the reference's way of moving an
/// alias into a call. In a text without spaces the cost is quadratic in its length.
enum AliasPattern {
    private static let tail = Array(".json_extract(soup".utf8)

    /// The number of aliases.
    static func matches(in text: [UInt8]) -> Int {
        text.withUnsafeBytes { text in
            var found = 0
            var start = 0
            while start < text.count {
                var end = start
                while end < text.count, text[end] != UInt8(ascii: " ") {
                    end += 1
                }
                // Greedy: the longest run first, then shorter ones down to one character.
                while end > start, !follows(text, at: end) {
                    end -= 1
                }
                if end > start {
                    found += 1
                    start = end + tail.count
                } else {
                    start += 1
                }
            }
            return found
        }
    }

    private static func follows(_ text: UnsafeRawBufferPointer, at index: Int) -> Bool {
        guard index + tail.count <= text.count, text[index] == tail[0] else { return false }
        return tail.indices.allSatisfy { text[index + $0] == tail[$0] }
    }
}
