import OData
import OfflineStore
import Soups

/// Reads one page of a query from one state of the store.
final class PageReader {
    let run: SoupQueryRun
    let snapshot: StoreSnapshot
    let options: PreparedOptions
    let position: QueryPosition
    let test: RowTest

    init(_ run: SoupQueryRun, _ snapshot: StoreSnapshot, _ position: QueryPosition) {
        self.run = run
        self.snapshot = snapshot
        self.position = position
        options = run.options
        test = RowTest(options, query: run.query.query)
    }

    func page() throws(Fault) -> QueryPage {
        guard !options.applies else {
            return try appliedPage()
        }
        if position.sorted != nil {
            return try sortedPage(position, count: nil)
        }
        guard options.order.isEmpty else {
            let (ids, count) = try sort()
            var position = position
            position.sorted = ids
            return try sortedPage(position, count: options.counts ? count : nil)
        }
        return try pageByIds()
    }

    var pageSize: Int { Int(min(position.remaining ?? .max, Int64(run.query.pageSize))) }

    // MARK: - In the order of the ids

    private func pageByIds() throws(Fault) -> QueryPage {
        let finder = try CandidateFinder(run, snapshot, test)
        let size = pageSize
        let counts = options.counts && position.isFirst
        let isLast = position.remaining == Int64(size)
        var next = position
        var (found, toSkip) = (Int64(0), position.toSkip)
        var (rows, more): ([[UInt8]], Bool) = ([], false)
        let known = counts ? try finder.count() : nil
        // A page without rows looks at those that it skips, as an evaluation of all rows does.
        if size > 0 || toSkip > 0 || (counts && known == nil) {
            try finder.visit(after: position.lastId) { (candidate) throws(Fault) in
                let isFull = rows.count == size && toSkip == 0
                if isFull, !counts || known != nil {
                    guard !isLast else { return false }
                    more = mayKeep(candidate)
                    return !more
                }
                guard try test.keeps(candidate) else { return true }
                found += 1
                if toSkip > 0 {
                    toSkip -= 1
                } else if isFull {
                    more = true
                } else {
                    rows.append(try candidate.text())
                    next.lastId = candidate.id
                }
                return true
            }
        }
        next.move(past: rows.count, more: more)
        return QueryPage(rows: try present(rows), count: counts ? known ?? found : nil, next: next)
    }

    /// Whether a row may follow the page. Its fault is that of the next page.
    private func mayKeep(_ candidate: Candidate) -> Bool { (try? test.keeps(candidate)) ?? true }

    // MARK: - Sorted

    /// Finds the ids of all rows that the filter keeps in the order of the query, and counts them.
    private func sort() throws(Fault) -> (ids: ArraySlice<Int64>, count: Int64?) {
        let (end, overflow) = options.skip.addingReportingOverflow(options.top ?? .max)
        let limit = overflow || options.top == nil ? .max : Int(end)
        let ids: [Int64]
        let count: Int64?
        if let found = try OrderedRows(run, snapshot, test).ids(limit: limit) {
            (ids, count) = found
        } else {
            (ids, count) = try sort(limit: limit)
        }
        return (ids.dropFirst(Int(min(options.skip, Int64(ids.count)))), count)
    }

    private func sort(limit: Int) throws(Fault) -> (ids: [Int64], count: Int64?) {
        var sorter = RowSorter(
            options.order.map(\.isDescending), limit: limit, maximumBytes: run.query.sortBytes)
        var count: Int64 = 0
        let finder = try CandidateFinder(run, snapshot, test)
        try finder.visit(after: .min) { (candidate) throws(Fault) in
            if let keys = try test.sortKeys(of: candidate) {
                count += 1
                try sorter.add(candidate.id, keys)
            }
            return true
        }
        return (sorter.sortedIds(), count)
    }

    private func sortedPage(_ start: QueryPosition, count: Int64?) throws(Fault) -> QueryPage {
        let size = pageSize
        var next = start
        var ids = start.sorted ?? []
        var rows: [[UInt8]] = []
        if size > 0 {
            // The rows of the first page were found in the same state of the store.
            let searched = start.isFirst ? nil : try RowSearch.ids(of: run, in: snapshot).map { Set($0) }
            var last = ids.startIndex
            try snapshot.entries(ids, of: run.soup) { (id, text) throws(Fault) in
                while ids[last] != id {
                    last += 1
                }
                guard searched?.contains(id) ?? true else { return true }
                let isKept = start.isFirst ? true : try test.stillKeeps(text)
                if isKept {
                    rows.append(Array(text))
                }
                return rows.count < size
            }
            ids = rows.count < size ? [] : ids[(last + 1)...]
        }
        next.sorted = ids
        next.move(past: rows.count, more: !ids.isEmpty)
        return QueryPage(rows: try present(rows), count: count, next: next)
    }

    // MARK: - Results

    /// What the options make of the rows of the page.
    private func present(_ rows: [[UInt8]]) throws(Fault) -> [[UInt8]] {
        guard test.execution.projects else {
            return rows
        }
        var results: [RowResult] = []
        for row in rows {
            let node = try row.withUnsafeBufferPointer { (text) throws(Fault) in
                try RowExpander.document(UnsafeRawBufferPointer(text))
            }
            results.append(try test.computed(node))
        }
        results = try RowExpander(run, snapshot).expanded(results, options.expansions, of: run.soup)
        var texts: [[UInt8]] = []
        for index in results.indices {
            texts.append(try test.text(of: results[index]))
            // The texts that follow can use the memory of its related rows.
            results[index] = .value(.null)
        }
        return texts
    }
}
