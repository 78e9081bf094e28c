/// How many cells and bytes the content of an entry has. A reader reserves memory for the next entry by it.
package struct EntrySize: Equatable {
    package var cells: Int
    package var links: Int
    package var parts: Int
    package var bytes: Int

    package init(cells: Int, links: Int, parts: Int, bytes: Int) {
        self.cells = cells
        self.links = links
        self.parts = parts
        self.bytes = bytes
    }

    /// The most that is expected of an entry inside another one; larger ones grow as they are read.
    private static let most = EntrySize(cells: 64, links: 16, parts: 64, bytes: 4_096)

    /// The size to expect of the next entry, after one of size `last`.
    ///
    /// Sparse entries differ in size, and an array that grows is allocated twice. So the expected size grows at once,
    /// and shrinks by a quarter with each smaller entry, to nothing in the end.
    package func next(after last: EntrySize) -> EntrySize {
        func expected(_ old: Int, _ last: Int, atMost most: Int) -> Int { min(max(last, old - (old + 3) / 4), most) }
        let most = Self.most
        return EntrySize(
            cells: expected(cells, last.cells, atMost: most.cells),
            links: expected(links, last.links, atMost: most.links),
            parts: expected(parts, last.parts, atMost: most.parts),
            bytes: expected(bytes, last.bytes, atMost: most.bytes))
    }
}
