/// Keeps the memory of the page before the current one for the page after it.
///
/// A cursor gives one page after another, each about as large as the one before. Memory of that size comes from the
/// system, which clears it each time; the cell `floor-page` measures the difference. Memory that a caller still has is
/// not taken.
struct PageMemory {
    /// The longest memory that is kept, in bytes.
    private static let longestKept = 1 << 20

    private var current = EntryList()
    private var former = EntryList()

    /// The list of the page before the current one.
    mutating func take() -> EntryList {
        let list = former
        former = EntryList()
        return list
    }

    /// Notes the list of the page that a cursor has moved to.
    mutating func note(_ list: EntryList) {
        former = current.capacity <= Self.longestKept ? current : EntryList()
        current = list
    }
}
