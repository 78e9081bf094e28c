import OData
import OfflineStore
import Soups

/// Finds the rows that may be in the result, in the order of their ids.
final class CandidateFinder {
    private let snapshot: StoreSnapshot
    private let soup: RegisteredSoup
    private let filter: ODataEvaluator?
    /// How indexes answer, and how a walk over the table does; both evaluate everything where indexes may not be used.
    private let indexed: FilterPlan
    private lazy var walking = run.plan(for: soup, walks: true)
    private let run: SoupQueryRun
    /// The ids that `$search` finds; nil without it.
    private let searched: [Int64]?
    /// What is evaluated for a row of which nothing is proved, and for one that the conditions prove.
    private(set) var whenUnsure: Conjuncts
    private(set) var whenSure: Conjuncts

    init(_ run: SoupQueryRun, _ snapshot: StoreSnapshot) throws(Fault) {
        self.snapshot = snapshot
        let soup = try snapshot.soup(run.soup)
        self.soup = soup
        filter = run.options.filter
        self.run = run
        indexed = run.plan(for: soup, walks: false)
        whenUnsure = indexed.whenUnsure
        whenSure = indexed.whenSure
        searched = try run.query.query.options.search.map { (search) throws(Fault) in
            try RowSearch(snapshot: snapshot, soup: run.soup).ids(of: search)
        }
    }

    /// Shows the rows behind an id until the closure returns false.
    func visit(after id: Int64, _ show: (Candidate) throws(Fault) -> Bool) throws(Fault) {
        if let searched {
            use(FilterPlan(evaluating: filter))
            return try visit(searched.lazy.filter { $0 > id }.map { ($0, false) }, show)
        }
        guard soup.canBeNamed else {
            use(indexed)
            let ids = try snapshot.ids(matching: .all(), in: soup.name).sorted()
            return try visit(ids.lazy.filter { $0 > id }.map { ($0, false) }, show)
        }
        guard indexed.narrows else {
            return try walk(after: id, show)
        }
        use(indexed)
        if let statement = CandidateStatement.point(indexed, soup, after: id) {
            return try visit(statement, show)
        }
        guard let found = try few(after: id) else {
            return try walk(after: id, show)
        }
        try visit(found, show)
    }

    private func use(_ plan: FilterPlan) {
        whenSure = plan.whenSure
        whenUnsure = plan.whenUnsure
    }

    private func walk(
        after id: Int64, _ show: (Candidate) throws(Fault) -> Bool
    ) throws(Fault) {
        use(walking)
        try visit(CandidateStatement.walk(walking, soup, after: id), show)
    }

    private func visit(
        _ statement: CandidateStatement, _ show: (Candidate) throws(Fault) -> Bool
    ) throws(Fault) {
        try snapshot.rows(statement.text, arguments: statement.arguments) { (row) throws(Fault) in
            try show(Candidate(id: row.integer(at: 0), isSure: row.integer(at: 1) != 0, row: row, cell: 2))
        }
    }

    private func visit(
        _ ids: some Sequence<(Int64, Bool)>, _ show: (Candidate) throws(Fault) -> Bool
    ) throws(Fault) {
        for (id, isSure) in ids {
            guard let text = try snapshot.entry(id, of: soup.name) else { continue }
            guard try show(Candidate(id: id, isSure: isSure, text: text)) else { return }
        }
    }

    /// The most rows that are looked up one by one. With more of them a walk over the table is as fast.
    private static let maximumLookUps = 20_000

    /// The ids of the candidates in their order, with what is proved; nil if there are many.
    private func few(after id: Int64) throws(Fault) -> [(Int64, Bool)]? {
        let statement = CandidateStatement.ids(indexed, soup, after: id)
        var found: [(Int64, Bool)] = []
        try snapshot.rows(statement.text, arguments: statement.arguments) { (row) throws(Fault) in
            found.append((row.integer(at: 0), row.integer(at: 1) != 0))
            return found.count <= Self.maximumLookUps
        }
        guard found.count <= Self.maximumLookUps else {
            return nil
        }
        return found.sorted { $0.0 < $1.0 }
    }

    /// The number of rows in the result, if the conditions decide enough of them; nil if rows must be looked at.
    func count(_ keeps: (Candidate) throws(Fault) -> Bool) throws(Fault) -> Int64? {
        guard searched == nil, indexed.narrows, indexed.isDecided else { return nil }
        use(indexed)
        let all = CandidateStatement.count(indexed, soup)
        var count: Int64 = 0
        try snapshot.rows(all.text, arguments: all.arguments) { (row) throws(Fault) in
            count = row.integer(at: 0)
            return false
        }
        guard !indexed.sure.isAlways else {
            return count
        }
        // Few candidates are unsure as a rule, so that all are counted and those that are not kept are taken off.
        try visit(CandidateStatement.unsure(indexed, soup)) { (candidate) throws(Fault) in
            count -= try keeps(candidate) ? 0 : 1
            return true
        }
        return count
    }
}
