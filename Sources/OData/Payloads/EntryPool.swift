/// Gives a reader the content of its next entry, in the memory of the last one where nobody holds that any more.
///
/// So a loop over a feed that drops each entry takes no memory from the system; one that keeps them gets each in memory
/// of its own.
struct EntryPool {
    private var last: ODataEntry.Box?
    private var size = (cells: 8, links: 4, bytes: 256)

    mutating func begin(_ texts: SharedTexts) -> EntryContent {
        // As with arrays: a reference that nobody shares can be changed in place.
        if last != nil, isKnownUniquelyReferenced(&last), let box = last {
            var content = box.take(leaving: texts)
            content.reset(texts: texts)
            return content
        }
        last = nil
        var content = EntryContent(texts: texts)
        content.reserve(like: size)
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
}
