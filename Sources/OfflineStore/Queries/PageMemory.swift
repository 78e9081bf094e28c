/// Keeps the memory of the page before the current one for the page after it.
///
/// A cursor gives one page after another, each about as large as the one before. Giving the memory back to the system and
/// taking it again for each page costs a fifth of the time of a page. Memory that a caller still has is not taken.
struct PageMemory {
    /// Longer pages are read so seldom that their memory is better given back.
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
        former = current.byteCount <= Self.longestKept ? current : EntryList()
        current = list
    }
}
