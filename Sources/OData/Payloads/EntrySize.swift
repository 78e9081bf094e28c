/// How many cells and bytes the content of an entry has. A reader reserves memory for the next entry by it.
struct EntrySize {
    var cells: Int
    var links: Int
    var parts: Int
    var bytes: Int

    /// The size to expect after entries for which this one was expected, and one that had another size.
    ///
    /// Sparse entries differ in size, and an array that grows is allocated twice. So the expected size grows at once, and
    /// shrinks by a quarter: a large entry makes those after it take four times its memory in all, and no more.
    func next(after last: EntrySize) -> EntrySize {
        EntrySize(
            cells: max(last.cells, cells - cells / 4), links: max(last.links, links - links / 4),
            parts: max(last.parts, parts - parts / 4), bytes: max(last.bytes, bytes - bytes / 4))
    }
}
