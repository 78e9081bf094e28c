import SQLiteAccess
import SmartSQL
import Soups

/// Collects the rows of a page, with the keys of its first and last row where a cursor may go on from them.
struct ResultPage {
    let returnsEntries: Bool
    var entries: EntryList
    var rows: [[StoreCell]] = []
    /// The names of the columns of a Smart SQL text.
    var columns: [String] = []
    /// Whether more rows follow in the order of the query, if the page was read in that order.
    var hasMore = false
    private(set) var first: PageQuery.Position?
    var last: PageQuery.Position?
    private let limit: Int
    /// Whether the page begins a cursor: the cursor cannot move back from it, and goes on from its last row only if it
    /// is full.
    private let isFirst: Bool

    /// - Parameter memory: A list whose memory the entries may take.
    init(
        returnsEntries: Bool, limit: Int = 0, isFirst: Bool = false, reusing memory: consuming EntryList = EntryList()
    ) {
        self.returnsEntries = returnsEntries
        // Moved, not copied: another reference would keep the memory from being taken.
        entries = consume memory
        entries.removeAll()
        self.limit = limit
        self.isFirst = isFirst
    }

    var count: Int { returnsEntries ? entries.count : rows.count }

    /// Keeps the position of a row that is added next, if it is the first one or makes the page full: its id is in
    /// column 0, its key in column 1.
    mutating func note(_ row: Statement) {
        if count == 0, !isFirst {
            first = PageQuery.Position(of: row)
        }
        if count == limit - 1 {
            last = PageQuery.Position(of: row)
        }
    }

    mutating func add(_ entry: UnsafeRawBufferPointer) {
        // Entries of a soup have similar sizes.
        if entries.isEmpty {
            entries.reserve(bytes: min((entry.count + entry.count / 8 + 1) * expectedCount, 4 << 20))
        } else if entries.count == 1 {
            entries.reserve(entries: expectedCount)
        }
        entries.append(entry)
    }

    /// How many entries the page may get. Without a limit, room is made as entries come.
    private var expectedCount: Int { limit == .max ? 64 : min(limit, 10_000) }

    func page(_ index: Int) -> StorePage {
        StorePage(index: index, contents: returnsEntries ? .entries(entries) : .rows(rows))
    }

    func reversed() -> ResultPage {
        var page = ResultPage(returnsEntries: returnsEntries)
        page.entries = entries.reversed()
        page.rows = rows.reversed()
        page.first = last
        page.last = first
        return page
    }
}

extension PageQuery.Position {
    /// The position of a row of a page.
    init(of row: Statement) { self.init(key: row.value(at: 1), id: row.integer(at: 0)) }
}
