/// Keeps texts that many entries share: the names of properties and links, the names of types. Entries hold numbers
/// instead.
///
/// `@unchecked Sendable`: only the reader that made it appends, and it never moves what is there; an entry asks only
/// for numbers that it was given before, and never for the count. So entries may be read on other threads while the
/// reader goes on: the two never touch the same memory.
final class SharedTexts: @unchecked Sendable {
    private let texts: UnsafeMutablePointer<String>
    private let capacity: Int
    private(set) var count = 0

    /// Texts beyond which a reader starts a new page with the next entry, so that a feed of ever new names stays within
    /// flat memory.
    static let page = 512

    init(capacity: Int = SharedTexts.page) {
        self.capacity = capacity
        texts = .allocate(capacity: capacity)
    }

    deinit {
        texts.deinitialize(count: count)
        texts.deallocate()
    }

    subscript(_ number: Int32) -> String {
        precondition(Int(number) < capacity, "the number is not one of these texts")
        return texts[Int(number)]
    }

    /// Appends a text; false where there is no room.
    func append(_ text: String) -> Bool {
        guard count < capacity else { return false }
        (texts + count).initialize(to: text)
        count += 1
        return true
    }

    /// The first texts under the same numbers, with room for more.
    ///
    /// - Parameter known: how many; all that the reader of these texts has appended since are none of the caller's
    ///   business.
    func enlarged(known: Int) -> SharedTexts {
        let larger = SharedTexts(capacity: max(8, 2 * known))
        for number in 0..<known {
            _ = larger.append(texts[number])
        }
        return larger
    }
}

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
