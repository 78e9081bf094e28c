import Benchmarking
import SQLiteAccess
import SmartSQL
import Soups

/// The store's reading statements.
extension FloorStore {
    /// The statements of the first pages of a query, in the order in which a cursor runs them.
    func pages(_ spec: QuerySpec, count: Int) throws(Fault) -> FloorScript {
        let script = FloorScript()
        let query = try PageQuery(spec, soup: soup)
        var position: PageQuery.Position?
        for _ in 0..<count {
            position = try appendPage(query.page(after: position), spec.pageSize, to: script) ?? position
        }
        script.layOut()
        return script
    }

    /// The statements that queries run to show their first pages. Matches are not counted until a total is asked for.
    func firstPages(_ specs: [QuerySpec]) throws(Fault) -> FloorScript {
        let script = FloorScript()
        for spec in specs {
            let query = try PageQuery(spec, soup: soup)
            try appendPage(query.firstPage, spec.pageSize, to: script)
        }
        script.layOut()
        return script
    }

    /// Adds the statements that fill a page and find one row more, which says whether there is a next page. Each asks
    /// for the rows that the ones before it did not find, so they are run. Returns the position of the page's last row;
    /// nil without rows.
    @discardableResult
    private func appendPage(
        _ page: PageQuery.Page, _ size: Int, to script: FloorScript
    ) throws(Fault) -> PageQuery.Position? {
        var wanted = size + 1
        var position: PageQuery.Position?
        for bound in page.statements where wanted > 0 {
            let values = bound.bindings + [.integer(Int64(wanted))]
            script.append(bound.sql, values)
            try forEachRow(bound.sql, values) { row in
                if wanted > 1, case .integer(let id) = row[0] {
                    position = PageQuery.Position(key: row[1], id: id)
                }
                wanted -= 1
            }
        }
        return position
    }

    /// The number of matches of a query.
    func count(_ spec: QuerySpec) throws(Fault) -> Int {
        let query = try PageQuery(spec, soup: soup)
        var total = 0
        try forEachRow(query.count.sql, query.count.bindings) { row in
            if case .integer(let count) = row[0] {
                total = Int(count)
            }
        }
        return total
    }

    /// The entries of the first page of a query.
    func firstEntries(_ spec: QuerySpec) throws(Fault) -> [[UInt8]] {
        let query = try PageQuery(spec, soup: soup)
        var entries: [[UInt8]] = []
        for bound in query.firstPage.statements where entries.count < spec.pageSize {
            try forEachRow(bound.sql, bound.bindings + [.integer(Int64(spec.pageSize - entries.count))]) { row in
                if case .text(let entry) = row[2] {
                    entries.append(entry)
                }
            }
        }
        return entries
    }

    /// Adds to a digest what queries answer: the number of matches, and the entries of the first page.
    func digestFirstPages(_ specs: [QuerySpec], into digest: inout ContentDigest) throws(Fault) {
        for spec in specs {
            digest.add(try count(spec))
            let entries = try firstEntries(spec)
            digest.add(entries.count)
            for entry in entries {
                digest.add(entry: entry)
            }
        }
    }
}
