extension String {
    /// The longest beginning of the text that has at most a number of UTF-8 bytes and ends at the end of a character
    /// (Unicode scalar). O(1) for a native string.
    package func prefix(bytes limit: Int) -> String {
        var end = utf8.index(startIndex, offsetBy: limit, limitedBy: endIndex) ?? endIndex
        while end.samePosition(in: unicodeScalars) == nil {
            end = utf8.index(before: end)
        }
        return String(self[..<end])
    }
}
