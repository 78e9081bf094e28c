import OData
import OfflineStore
import Soups

/// Finds the rows that may be in the result, in the order of their ids.
final class CandidateFinder {
    private let snapshot: StoreSnapshot
    private let soup: RegisteredSoup
    private let test: RowTest
    private let plan: SoupPlan
    private let run: SoupQueryRun
    /// The ids that `$search` finds; nil without it.
    private let searched: [Int64]?

    init(_ run: SoupQueryRun, _ snapshot: StoreSnapshot, _ test: RowTest) throws(Fault) {
        self.snapshot = snapshot
        self.test = test
        let soup = try snapshot.soup(run.soup)
        self.soup = soup
        self.run = run
        plan = run.plan(for: soup)
        searched = try RowSearch.ids(of: run, in: snapshot)
    }

    /// Shows the rows after an id until the closure returns false.
    func visit(after id: Int64, _ show: (Candidate) throws(Fault) -> Bool) throws(Fault) {
        if let searched {
            let conjuncts = FilterPlan(evaluating: run.options.filter).whenUnsure
            return try visit(searched.filter { $0 > id }.map { ($0, conjuncts) }, show)
        }
        guard soup.canBeNamed else {
            let ids = try snapshot.ids(matching: .all(), in: soup.name).sorted()
            return try visit(ids.filter { $0 > id }.map { ($0, plan.indexed.whenUnsure) }, show)
        }
        guard plan.indexed.narrows else {
            return try walk(after: id, show)
        }
        if let point = plan.point, try !hasOthers() {
            return try visit(point.after(id), plan.indexed, provedBy: plan.pointProof, show)
        }
        guard let found = try few(after: id) else {
            return try walk(after: id, show)
        }
        try visit(found, show)
    }

    /// Whether candidates may have another value than the one of a condition, which is rare.
    private func hasOthers() throws(Fault) -> Bool {
        guard let statement = plan.others else {
            return false
        }
        var found = false
        try snapshot.rows(statement.text, arguments: statement.arguments) { (_) throws(Fault) in
            found = true
            return false
        }
        return found
    }

    private func walk(
        after id: Int64, _ show: (Candidate) throws(Fault) -> Bool
    ) throws(Fault) {
        try visit(plan.walk.after(id), plan.walking, show)
    }

    private func visit(
        _ statement: CandidateStatement, _ plan: FilterPlan, provedBy proof: PointProof? = nil,
        _ show: (Candidate) throws(Fault) -> Bool
    ) throws(Fault) {
        let (whenSure, whenUnsure, hasEntries) = (plan.whenSure, plan.whenUnsure, statement.hasEntries)
        try snapshot.rows(statement.text, arguments: statement.arguments) { (row) throws(Fault) in
            if let proof {
                // The text that was lent for the proof is that of the candidate too: counting references to the row
                // costs more than copying its text.
                return try Candidate.withEntry(of: row) { (text) throws(Fault) in
                    let conjuncts = proof.holds(for: text) ? proof.conjuncts : whenUnsure
                    return try show(Candidate(id: row.integer(at: 0), conjuncts, text: text))
                }
            }
            let conjuncts = row.integer(at: 1) != 0 ? whenSure : whenUnsure
            return try show(Candidate(row, conjuncts, hasEntry: hasEntries))
        }
    }

    private func visit(
        _ rows: [(id: Int64, conjuncts: Conjuncts)], _ show: (Candidate) throws(Fault) -> Bool
    ) throws(Fault) {
        var next = 0
        try snapshot.entries(rows.lazy.map(\.id), of: soup.name) { (id, text) throws(Fault) in
            while rows[next].id != id {
                next += 1
            }
            return try show(Candidate(id: id, rows[next].conjuncts, text: text))
        }
    }

    /// The most rows that are looked up one by one. With more of them a walk over the table is as fast.
    private static let maximumLookUps = 20_000

    /// The ids of the candidates in their order, with what is left to evaluate; nil if there are many.
    private func few(after id: Int64) throws(Fault) -> [(id: Int64, conjuncts: Conjuncts)]? {
        var found: [(id: Int64, conjuncts: Conjuncts)] = []
        try visit(plan.ids.after(id), plan.indexed) { (candidate) throws(Fault) in
            // A fault is that of the row, which may be after the page.
            switch try? test.onCells(candidate) {
            case .kept(false): break
            case .kept(true): found.append((candidate.id, Conjuncts([])))
            default: found.append((candidate.id, candidate.conjuncts))
            }
            return found.count <= Self.maximumLookUps
        }
        guard found.count <= Self.maximumLookUps else {
            return nil
        }
        return found.sorted { $0.id < $1.id }
    }

    /// The number of rows in the result, if the conditions decide enough of them; nil if rows must be looked at.
    func count() throws(Fault) -> Int64? {
        guard searched == nil, plan.indexed.narrows, plan.indexed.isDecided else { return nil }
        let all = plan.count
        var count: Int64 = 0
        try snapshot.rows(all.text, arguments: all.arguments) { (row) throws(Fault) in
            count = row.integer(at: 0)
            return false
        }
        guard !plan.indexed.sure.isAlways else {
            return count
        }
        // Few candidates are unsure as a rule, so that all are counted and those that are not kept are taken off.
        try visit(plan.unsure, plan.indexed) { (candidate) throws(Fault) in
            count -= try test.keeps(candidate) ? 0 : 1
            return true
        }
        return count
    }
}
