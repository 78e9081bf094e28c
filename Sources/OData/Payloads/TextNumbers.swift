/// Assigns numbers to texts for the entries of one reader.
struct TextNumbers {
    private(set) var page = SharedTexts()
    private var known = ByteCache<Int32>()

    /// Starts a new page if the current one is full. Call it only between two entries of the outermost feed, because
    /// older numbers become invalid.
    ///
    /// - Returns: Whether a new page was started.
    mutating func turnPage() -> Bool {
        guard page.count >= SharedTexts.page else { return false }
        page = SharedTexts()
        known = ByteCache()
        return true
    }

    /// The number of a text; a new number if the text is not among the 512 that are cached.
    @inline(__always)
    mutating func number(of bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
        if let index = known.index(of: bytes) {
            return known.values[index]
        }
        let number = add(String(bytes: bytes))
        known.remember(bytes, number)
        return number
    }

    mutating func number(of text: String) -> Int32 { withBytes(of: text) { number(of: $0) } }

    /// Adds a text without searching for it.
    mutating func add(_ text: String) -> Int32 {
        if !page.append(text) {
            page = page.enlarged(known: page.count)
            _ = page.append(text)
        }
        return Int32(page.count - 1)
    }
}
