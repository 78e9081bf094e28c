import OData
import Soups

/// Sorts rows in memory: their ids and what they are sorted by, never the rows.
struct RowSorter {
    private struct Entry {
        let id: Int64
        /// Where its keys begin.
        let first: Int
    }

    private let descending: [Bool]
    private let limit: Int
    private let maximumBytes: Int
    private var entries: [Entry] = []
    private var keys = SortKeyList()
    private var bytes = 0

    /// Creates a sorter that keeps the first rows, at most `limit`.
    init(_ descending: [Bool], limit: Int, maximumBytes: Int) {
        self.descending = descending
        self.limit = limit
        self.maximumBytes = maximumBytes
    }

    /// Adds a row.
    ///
    /// - Throws: `limitExceeded` if what is kept takes more memory than allowed.
    mutating func add(_ id: Int64, _ keys: [SortKey]) throws(Fault) {
        guard limit > 0 else { return }
        entries.append(Entry(id: id, first: self.keys.count))
        for key in keys {
            self.keys.append(key)
        }
        bytes += Self.bytes(of: keys)
        // Cutting at twice the limit costs a constant number of comparisons for each row on average.
        if entries.count >= 2 * min(limit, .max / 2), entries.count >= 1_024 {
            cut()
        }
        if bytes > maximumBytes, entries.count > limit {
            cut()
        }
        guard bytes <= maximumBytes else {
            throw Fault(
                .limitExceeded,
                "the sort takes more than \(maximumBytes) bytes; filter more rows, use $top, or raise sortBytes")
        }
    }

    private static func bytes(of keys: [SortKey]) -> Int { keys.reduce(64) { $0 + $1.byteCount } }

    /// Keeps the first rows, and the keys of these only.
    private mutating func cut() {
        sort()
        guard entries.count > limit else { return }
        entries.removeLast(entries.count - limit)
        var kept = SortKeyList()
        bytes = 0
        for index in entries.indices {
            let own = (0..<descending.count).map { keys[entries[index].first + $0] }
            entries[index] = Entry(id: entries[index].id, first: kept.count)
            for key in own {
                kept.append(key)
            }
            bytes += Self.bytes(of: own)
        }
        keys = kept
    }

    private mutating func sort() {
        // Ties are in the order of the ids, which is reversed if the last item is descending.
        let isReversed = descending.last == true
        let descending = descending
        keys.withOrder { order in
            entries.sort { a, b in
                for position in descending.indices {
                    let order = order(a.first + position, b.first + position)
                    if order != 0 {
                        return descending[position] ? order > 0 : order < 0
                    }
                }
                return isReversed ? a.id > b.id : a.id < b.id
            }
        }
    }

    /// The ids of the first rows, in order.
    mutating func sortedIds() -> [Int64] {
        cut()
        return entries.map(\.id)
    }
}
