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
    private var ends: [Int] = []

    package init() {}

    public var startIndex: Int { 0 }
    public var endIndex: Int { ends.count }

    /// Returns the text of one entry as a slice, without a copy.
    public subscript(index: Int) -> ArraySlice<UInt8> { texts[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }

    /// Copies the text of one entry as a string; invalid UTF-8 is repaired.
    public func text(at index: Int) -> String { String(decoding: self[index], as: UTF8.self) }

    /// All texts as one JSON array. Linear in their bytes.
    public var jsonArray: [UInt8] {
        var array: [UInt8] = []
        array.reserveCapacity(texts.count + ends.count + 2)
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

    mutating func reserve(bytes: Int, entries: Int) {
        texts.reserveCapacity(bytes)
        ends.reserveCapacity(entries)
    }

    mutating func append(_ entry: UnsafeRawBufferPointer) {
        texts.append(contentsOf: entry)
        ends.append(texts.count)
    }

    func reversed() -> EntryList {
        var list = EntryList()
        list.reserve(bytes: texts.count, entries: ends.count)
        for index in indices.reversed() {
            self[index].withUnsafeBytes { list.append($0) }
        }
        return list
    }
}
