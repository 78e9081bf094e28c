/// Texts that many entries share: names of properties, links and types. Entries refer to them by numbers.
///
/// `@unchecked Sendable`: only the reader that created it appends texts, and texts are never moved. Entries read only
/// texts with numbers that they already have, and never the count. So entries can be read on other threads while the
/// reader continues, because the two never access the same memory.
final class SharedTexts: @unchecked Sendable {
    private let texts: UnsafeMutablePointer<String>
    private let capacity: Int
    private(set) var count = 0

    /// The number of texts after which a reader starts a new page with the next entry, so that a feed with ever more
    /// names needs only bounded memory.
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

    /// Appends a text; returns false if there is no room.
    func append(_ text: String) -> Bool {
        guard count < capacity else { return false }
        (texts + count).initialize(to: text)
        count += 1
        return true
    }

    /// A copy of the first texts with the same numbers and room for more.
    ///
    /// - Parameter known: The number of texts to copy. The reader may have appended others since.
    func enlarged(known: Int) -> SharedTexts {
        let larger = SharedTexts(capacity: max(8, 2 * known))
        for number in 0..<known {
            _ = larger.append(texts[number])
        }
        return larger
    }
}
