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
