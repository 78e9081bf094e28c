import SQLiteAccess
import SmartSQL
import Soups

/// Collects the rows of a page, with the keys of its first and last row where a cursor may go on from them.
struct ResultPage {
    let returnsEntries: Bool
    var entries = EntryList()
    var rows: [[StoreCell]] = []
    /// The names of the columns of a Smart SQL text.
    var columns: [String] = []
    /// Whether more rows follow in the order of the query, if the page was read in that order.
    var hasMore = false
    private(set) var first: PageQuery.Position?
    private let limit: Int
    /// Whether the page begins a cursor: the cursor cannot move back from it, and goes on from its last row only if it
    /// is full.
    private let isFirst: Bool
    private var lastId: Int64?
    /// The key of the last row, if it is not text.
    private var lastKey = SQLValue.null
    /// The number of bytes of `lastText` that are its key, if it is text.
    private var lastTextCount: Int?
    /// Only grows: a new key for each row would be an allocation for each.
    private var lastText: [UInt8] = []

    init(returnsEntries: Bool, limit: Int = 0, isFirst: Bool = false) {
        self.returnsEntries = returnsEntries
        self.limit = limit
        self.isFirst = isFirst
    }

    var count: Int { returnsEntries ? entries.count : rows.count }

    var last: PageQuery.Position? { lastId.map { PageQuery.Position(key: key, id: $0) } }

    private var key: SQLValue { lastTextCount.map { .text(Array(lastText[..<$0])) } ?? lastKey }

    /// Keeps the key of a row that is added next, if the page may be continued from it: its id in column 0, its key in
    /// column 1.
    mutating func note(_ row: Statement) {
        guard !isFirst || count == limit - 1 else { return }
        let id = row.integer(at: 0)
        if let text = row.lentText(at: 1) {
            if lastText.count < text.count {
                lastText = Array(repeating: 0, count: 2 * text.count)
            }
            lastText.withUnsafeMutableBytes { $0.copyMemory(from: text) }
            lastTextCount = text.count
        } else {
            lastTextCount = nil
            lastKey = row.value(at: 1)
        }
        if lastId == nil, !isFirst {
            first = PageQuery.Position(key: key, id: id)
        }
        lastId = id
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
        page.lastId = first?.id
        page.lastKey = first?.key ?? .null
        return page
    }
}
