/// Provides the content for the next entry of a reader. It reuses the memory of the last entry if there are no other
/// references to it.
///
/// So a loop over a feed that does not keep the entries allocates no memory for each of them. If the loop keeps the
/// entries, each has its own memory.
struct EntryPool {
    private var last: ODataEntry.Box?
    private var size = EntrySize(cells: 8, links: 4, parts: 0, bytes: 256)
    /// The size to expect of the next entry inside another one.
    private var nestedSize = EntrySize(cells: 0, links: 0, parts: 0, bytes: 0)

    mutating func begin(_ texts: SharedTexts) -> EntryContent {
        // As in arrays, a uniquely referenced object can be changed in place.
        if last != nil, isKnownUniquelyReferenced(&last), let box = last {
            var content = box.take(leaving: texts)
            content.reset(texts: texts)
            return content
        }
        last = nil
        var content = EntryContent(texts: texts)
        content.reserve(size)
        return content
    }

    mutating func finish(_ content: consuming EntryContent) -> ODataEntry {
        size = content.size
        if let box = last, box.isEmpty {
            box.put(content)
            return ODataEntry(box)
        }
        let box = ODataEntry.Box(content)
        last = box
        return ODataEntry(box)
    }

    /// The content for an entry inside another one, which keeps it: it always has memory of its own.
    func beginNested(_ texts: SharedTexts) -> EntryContent {
        var content = EntryContent(texts: texts)
        content.reserve(nestedSize)
        return content
    }

    mutating func finishNested(_ content: consuming EntryContent) -> ODataEntry {
        nestedSize = nestedSize.next(after: content.size)
        return ODataEntry(content)
    }
}
