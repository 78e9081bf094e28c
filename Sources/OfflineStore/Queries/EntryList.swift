/// Holds the JSON texts of several entries in one block of memory. An entry is a slice of it; reading one copies
/// nothing.
///
/// ```swift
/// let entries = try store.query(.all(), soup: "contacts").currentPage.entries
/// let texts = entries.indices.map { entries.text(at: $0) }
/// let array = entries.jsonArray
/// ```
public struct EntryList: Sendable, Hashable, RandomAccessCollection {
    /// The texts, one after another.
    private var texts: [UInt8] = []
    /// Where each entry but the first begins: a list of one entry needs no memory for it.
    private var starts: [Int] = []
    private var isFilled = false

    package init() {}

    public var startIndex: Int { 0 }
    public var endIndex: Int { isFilled ? starts.count + 1 : 0 }

    /// Returns the text of one entry as a slice, without a copy.
    public subscript(index: Int) -> ArraySlice<UInt8> {
        precondition(isFilled, "an empty list has no entries")
        let start = index == 0 ? 0 : starts[index - 1]
        let end = index == starts.count ? texts.count : starts[index]
        return texts[start..<end]
    }

    /// Copies the text of one entry as a string; invalid UTF-8 is repaired.
    public func text(at index: Int) -> String { String(decoding: self[index], as: UTF8.self) }

    /// All texts as one JSON array. Linear in their bytes.
    public var jsonArray: [UInt8] {
        var array: [UInt8] = []
        array.reserveCapacity(texts.count + starts.count + 2)
        array.append(UInt8(ascii: "["))
        for index in indices {
            if index > 0 {
                array.append(UInt8(ascii: ","))
            }
            array.append(contentsOf: self[index])
        }
        array.append(UInt8(ascii: "]"))
        return array
    }

    /// The bytes of memory for texts, which may be more than they have.
    var capacity: Int { texts.capacity }

    /// Removes all entries, and keeps the memory if no other list has it.
    mutating func removeAll() {
        guard isFilled else { return }
        texts.removeAll(keepingCapacity: true)
        starts.removeAll(keepingCapacity: true)
        isFilled = false
    }

    mutating func reserve(bytes: Int) { texts.reserveCapacity(bytes) }

    /// Makes room for a number of entries, which a list of one does not need.
    mutating func reserve(entries: Int) {
        if entries > 1 {
            starts.reserveCapacity(entries - 1)
        }
    }

    mutating func append(_ entry: UnsafeRawBufferPointer) {
        if isFilled {
            starts.append(texts.count)
        }
        isFilled = true
        texts.append(contentsOf: entry)
    }

    func reversed() -> EntryList {
        var list = EntryList()
        list.reserve(bytes: texts.count)
        list.reserve(entries: count)
        for index in indices.reversed() {
            self[index].withUnsafeBytes { list.append($0) }
        }
        return list
    }
}
