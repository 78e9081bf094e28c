/// Numbers texts for the entries of one reader.
struct TextNumbers {
    private(set) var page = SharedTexts()
    private var known = ByteCache<Int32>()

    /// Starts a new page where the last one is full. Only between two entries of the outermost feed: numbers given out
    /// before are of no more use.
    ///
    /// - Returns: whether it did.
    mutating func turnPage() -> Bool {
        guard page.count >= SharedTexts.page else { return false }
        page = SharedTexts()
        known = ByteCache()
        return true
    }

    /// The number of a text; a new one where it is not among the 512 that are remembered.
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

    /// Adds a text without looking for it.
    mutating func add(_ text: String) -> Int32 {
        if !page.append(text) {
            page = page.enlarged(known: page.count)
            _ = page.append(text)
        }
        return Int32(page.count - 1)
    }
}
