import SQLiteAccess
import SmartSQL
import Soups

/// Runs a query spec on a soup, page by page. It is created again when the schema has changed, because the columns may
/// have other numbers then.
struct QueryExecution {
    let soup: RegisteredSoup
    private(set) var query: PageQuery
    let schemaVersion: SchemaVersion
    let reading: PageReading

    var storesExternally: Bool { reading.externalSoup != nil }

    init(_ spec: QuerySpec, soup name: String, session: StoreSession) throws(Fault) {
        soup = try session.soup(name)
        query = try PageQuery(spec, soup: soup, permissive: session.options.permissivePaths)
        schemaVersion = session.knownSchemaVersion
        reading = PageReading(
            returnsEntries: query.returnsEntries, columns: query.columns,
            externalSoup: soup.storesExternally ? name : nil)
    }

    /// Chooses the statements of pages, if they depend on how many entries match. Costs a count of the matches, which
    /// the full-text table alone answers, unless the number is given.
    mutating func plan(matches known: Int? = nil, _ session: StoreSession) throws(Fault) {
        guard query.isPlannedByCount else { return }
        let matches =
            if let known {
                Int64(known)
            } else {
                try integer(query.count, session).value
            }
        let entries = try integer(query.entriesAtMost, session).value
        query = query.planned(matches: matches, entries: entries)
    }

    func count(_ session: StoreSession) throws(Fault) -> Reported<Int> {
        let count = try integer(query.count, session)
        return Reported(Int(count.value), count.report)
    }

    /// The integer of the one row of a statement.
    private func integer(_ bound: BoundStatement, _ session: StoreSession) throws(Fault) -> Reported<Int64> {
        let statement = try session.connection.statement(bound.sql)
        defer { statement.reset() }
        try Self.bind(bound, to: statement)
        // A count has one row, also over an empty table.
        _ = try statement.step()
        return Reported(statement.integer(at: 0), session.report(statement, rows: 1))
    }

    /// The ids of all matches.
    func ids(_ session: StoreSession) throws(Fault) -> [Int64] {
        let bound = query.ids
        let statement = try session.connection.statement(bound.sql)
        defer { statement.reset() }
        try Self.bind(bound, to: statement)
        var ids: [Int64] = []
        while try statement.step() {
            ids.append(statement.integer(at: 0))
        }
        return ids
    }

    /// Runs the statements of a page until it is full. A page in the order of the query asks for one row more than it
    /// shows, which says whether there is a next page.
    ///
    /// - Parameters:
    ///   - isFirst: Whether the page begins a cursor.
    ///   - memory: A list whose memory the entries of the page may take.
    func run(
        _ page: PageQuery.Page, limit: Int, isFirst: Bool = false, reusing memory: consuming EntryList = EntryList(),
        session: StoreSession
    ) throws(Fault) -> Reported<ResultPage> {
        var result = ResultPage(
            returnsEntries: query.returnsEntries, limit: limit, isFirst: isFirst, reusing: consume memory)
        var report = CallReport()
        let wanted = page.isReversed || limit == .max ? limit : limit + 1
        var found = 0
        for bound in page.statements where found < wanted {
            let statement = try session.connection.statement(bound.sql)
            defer { statement.reset() }
            try Self.bind(bound, to: statement)
            found += try reading.read(
                statement, bound.bindings.count, wanted - found, limit, into: &result, session)
            report = session.report(statement, rows: result.count)
        }
        if result.last == nil, !isFirst, !page.isReversed {
            result.last = try last(of: result, session)
        }
        return Reported(page.isReversed ? result.reversed() : result, report)
    }

    /// The position of the last row of a page that is not full, found from that of the first one.
    ///
    /// No row is known to be the last before it is passed, and keeping the key of each would make every page slower. A
    /// page that is not full is the last one of its query.
    private func last(of result: ResultPage, _ session: StoreSession) throws(Fault) -> PageQuery.Position? {
        guard let first = result.first, result.count > 1 else { return result.first }
        var remaining = result.count - 1
        for bound in query.page(after: first).statements {
            let statement = try session.connection.statement(bound.sql)
            defer { statement.reset() }
            try Self.bind(bound, to: statement)
            try statement.bind(integer: Int64(remaining), at: bound.bindings.count + 1)
            while try statement.step() {
                remaining -= 1
                if remaining == 0 {
                    return PageQuery.Position(of: statement)
                }
            }
        }
        return nil
    }

    static func bind(_ bound: BoundStatement, to statement: Statement) throws(Fault) {
        for (index, value) in bound.bindings.enumerated() {
            try statement.bind(value, at: index + 1)
        }
    }
}
