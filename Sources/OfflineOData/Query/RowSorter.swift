import OData
import Soups

/// Sorts rows in memory: their ids and what they are sorted by, never the rows.
struct RowSorter {
    private struct Entry {
        let id: Int64
        let keys: [SortKey]
    }

    private let descending: [Bool]
    private let limit: Int
    private let maximumBytes: Int
    private var entries: [Entry] = []
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
        entries.append(Entry(id: id, keys: keys))
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

    private mutating func cut() {
        sort()
        entries.removeLast(entries.count - min(limit, entries.count))
        bytes = entries.reduce(0) { $0 + Self.bytes(of: $1.keys) }
    }

    private mutating func sort() {
        // Ties are in the order of the ids, which is reversed if the last item is descending.
        let isReversed = descending.last == true
        entries.sort { a, b in
            for (position, isDescending) in descending.enumerated() {
                let order = SortKey.order(a.keys[position], b.keys[position])
                if order != 0 {
                    return isDescending ? order > 0 : order < 0
                }
            }
            return isReversed ? a.id > b.id : a.id < b.id
        }
    }

    /// The ids of the first rows, in order.
    mutating func sortedIds() -> [Int64] {
        cut()
        return entries.map(\.id)
    }
}
