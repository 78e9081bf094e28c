import OData
import OfflineStore
import Soups

/// Finds the rows of a query along the index of its order, where that is possible and not slower than a sort.
struct OrderedRows {
    private let snapshot: StoreSnapshot
    private let soup: RegisteredSoup
    private let options: PreparedOptions
    private let test: RowTest
    private let plan: SoupPlan
    /// The order of the index; nil if the query must sort.
    let order: IndexOrder?

    init(_ run: SoupQueryRun, _ snapshot: StoreSnapshot, _ test: RowTest) throws(Fault) {
        self.snapshot = snapshot
        self.test = test
        soup = try snapshot.soup(run.soup)
        options = run.options
        let plan = run.plan(for: soup)
        self.plan = plan
        order = plan.order { [soup] in Self.mayWalk(run, plan) ? IndexOrder(run.options, soup: soup) : nil }
    }

    /// Whether the rows at the front of the order are all that must be looked at.
    ///
    /// With a filter these are enough only for a query with `$top` that does not count. A sort meets the faults of all
    /// rows, so no row may have one.
    private static func mayWalk(_ run: SoupQueryRun, _ plan: SoupPlan) -> Bool {
        let options = run.options
        guard run.query.usesIndexes, run.query.query.options.search == nil else { return false }
        guard let filter = options.filter else { return true }
        return options.top != nil && !options.counts && plan.indexed.conjuncts.allSatisfy(isSearch)
            && !Throwing(filter)[filter.expression.root]
    }

    /// Whether an index finds the rows of a conjunct without a look at all of its cells, or no index finds them.
    private static func isSearch(_ conjunct: FilterPlan.Conjunct) -> Bool {
        guard let bounds = conjunct.bounds, bounds.narrows else { return true }
        return ![.contains, .suffix, .emptyNeedle, .either, .both, .none].contains(bounds.line)
    }

    /// The ids of the first rows in the order of the query, at most so many, and the number of all rows if the query
    /// counts them; nil if a sort must find them.
    func ids(limit: Int) throws(Fault) -> (ids: [Int64], count: Int64?)? {
        guard let order else { return nil }
        guard options.filter != nil else {
            guard let ids = try order.ids(in: snapshot, limit: limit) else { return nil }
            return (ids, options.counts ? try count() : nil)
        }
        guard limit > 0, limit < Self.maximumRows / Self.rowsForOne else { return nil }
        let length = Self.rowsForOne * limit + Self.rowsBefore
        if plan.indexed.narrows {
            guard try hasMoreCandidates(than: length) else { return nil }
        }
        guard let ids = try order.ids(in: snapshot, limit: length) else { return nil }
        let kept = try kept(ids, limit: limit)
        return kept.count == limit || ids.count < length ? (kept, nil) : nil
    }

    /// How many rows are looked at for one of the result before a sort is taken instead.
    private static let rowsForOne = 4
    /// How many more are looked at.
    private static let rowsBefore = 256
    /// With more rows, looking at them one by one is as slow as a sort.
    private static let maximumRows = 20_000

    /// Whether an index finds so many rows for the filter that sorting all of them takes longer.
    private func hasMoreCandidates(than maximum: Int) throws(Fault) -> Bool {
        var count = 0
        try snapshot.rows(plan.ids.text, arguments: plan.ids.arguments) { (_) throws(Fault) in
            count += 1
            return count <= maximum
        }
        return count > maximum
    }

    private func kept(_ ids: [Int64], limit: Int) throws(Fault) -> [Int64] {
        let conjuncts = FilterPlan(evaluating: options.filter).whenUnsure
        var kept: [Int64] = []
        try snapshot.entries(ids, of: soup.name) { (id, text) throws(Fault) in
            if try test.keeps(Candidate(id: id, conjuncts, text: text)) {
                kept.append(id)
            }
            return kept.count < limit
        }
        return kept
    }

    private func count() throws(Fault) -> Int64 {
        var count: Int64 = 0
        try snapshot.rows("SELECT count(*) FROM {\(soup.name)}", arguments: []) { (row) throws(Fault) in
            count = row.integer(at: 0)
            return false
        }
        return count
    }
}
