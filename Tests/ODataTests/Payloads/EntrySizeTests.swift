import OData
import Testing

struct EntrySizeTests {
    private static let empty = EntrySize(cells: 0, links: 0, parts: 0, bytes: 0)

    @Test func `an expected size grows at once and shrinks to nothing`() {
        let large = EntrySize(cells: 40, links: 9, parts: 3, bytes: 900)
        var size = Self.empty.next(after: large)
        #expect(size == large)
        size = size.next(after: Self.empty)
        #expect(size == EntrySize(cells: 30, links: 6, parts: 2, bytes: 675))
        for _ in 0..<40 {
            size = size.next(after: Self.empty)
        }
        #expect(size == Self.empty)
    }

    @Test func `a huge entry does not make those after it huge`() {
        let huge = EntrySize(cells: 1_000, links: 1_000, parts: 100_000, bytes: 1 << 20)
        #expect(Self.empty.next(after: huge) == EntrySize(cells: 64, links: 16, parts: 64, bytes: 4_096))
    }
}
