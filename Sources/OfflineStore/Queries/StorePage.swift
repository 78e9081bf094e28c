public import Soups

/// Holds one page of a query's results: entries as JSON texts, or rows of values where the query selects paths.
public struct StorePage: Sendable {
    /// What the results are, by the query.
    public enum Contents: Sendable {
        case entries(EntryList)
        case rows([[StoreCell]])
    }

    /// Counted from 0.
    public let index: Int
    public let contents: Contents

    public var count: Int {
        switch contents {
        case .entries(let entries): entries.count
        case .rows(let rows): rows.count
        }
    }

    /// The entries, where the query gives entries; none where it gives rows.
    public var entries: EntryList {
        if case .entries(let entries) = contents { entries } else { EntryList() }
    }

    /// The rows, where the query gives rows; none where it gives entries.
    public var rows: [[StoreCell]] {
        if case .rows(let rows) = contents { rows } else { [] }
    }
}

/// Holds one value of a row: a value of SQLite, or a whole entry.
public enum StoreCell: Sendable, Hashable {
    case value(SQLValue)
    /// The entry's JSON text.
    case entry([UInt8])
}

/// Holds the JSON texts of several entries in one piece of memory. An entry is a slice of it; taking one copies nothing.
public struct EntryList: Sendable, RandomAccessCollection {
    /// The texts with commas between them.
    private(set) var joined: [UInt8] = []
    private var ends: [Int] = []

    public init() {}

    public var startIndex: Int { 0 }
    public var endIndex: Int { ends.count }

    public subscript(place: Int) -> ArraySlice<UInt8> { joined[(place == 0 ? 0 : ends[place - 1] + 1)..<ends[place]] }

    /// The text of one entry as a string; the bytes are checked to be UTF-8.
    public func text(at place: Int) -> String { String(decoding: self[place], as: UTF8.self) }

    /// All texts as one JSON array.
    public var jsonArray: [UInt8] { [UInt8(ascii: "[")] + joined + [UInt8(ascii: "]")] }

    mutating func reserve(bytes: Int, entries: Int) {
        joined.reserveCapacity(bytes)
        ends.reserveCapacity(entries)
    }

    mutating func append(_ entry: UnsafeRawBufferPointer) {
        if !ends.isEmpty { joined.append(UInt8(ascii: ",")) }
        joined.append(contentsOf: entry)
        ends.append(joined.count)
    }

    func reversed() -> EntryList {
        var list = EntryList()
        list.reserve(bytes: joined.count, entries: ends.count)
        for place in indices.reversed() { self[place].withUnsafeBytes { list.append($0) } }
        return list
    }
}
