import SQLiteAccess
import SmartSQL
import Soups

/// Runs a query spec on a soup, page by page. It is created again when the schema has changed, because the columns may
/// have other numbers then.
struct QueryExecution {
    let soup: RegisteredSoup
    private(set) var query: PageQuery
    let schemaVersion: Int64
    let storesExternally: Bool

    init(_ spec: QuerySpec, soup name: String, session: StoreSession) throws(Fault) {
        soup = try session.soup(name)
        query = try PageQuery(spec, soup: soup, permissive: session.options.permissivePaths)
        schemaVersion = session.knownSchemaVersion
        storesExternally = soup.storesExternally
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
        let integer = try statement.step() ? statement.integer(at: 0) : 0
        return Reported(integer, session.report(statement, rows: 1))
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
    func run(_ page: PageQuery.Page, limit: Int, session: StoreSession) throws(Fault) -> Reported<ResultPage> {
        var result = ResultPage(returnsEntries: query.returnsEntries, limit: limit)
        var report = CallReport()
        let wanted = page.isReversed || limit == .max ? limit : limit + 1
        var found = 0
        for bound in page.statements where found < wanted {
            let statement = try session.connection.statement(bound.sql)
            defer { statement.reset() }
            try Self.bind(bound, to: statement)
            found += try read(statement, bound.bindings.count, wanted - found, limit, into: &result, session)
            report = session.report(statement, rows: result.count)
        }
        return Reported(page.isReversed ? result.reversed() : result, report)
    }

    /// Runs the prepared statement of a first page that is one statement.
    func run(
        _ statement: Statement, _ bindings: [SQLValue], limit: Int, session: StoreSession
    ) throws(Fault) -> Reported<ResultPage> {
        var result = ResultPage(returnsEntries: query.returnsEntries, limit: limit)
        defer { statement.reset() }
        for index in bindings.indices {
            try statement.bind(bindings[index], at: index + 1)
        }
        let wanted = limit == .max ? limit : limit + 1
        _ = try read(statement, bindings.count, wanted, limit, into: &result, session)
        return Reported(result, session.report(statement, rows: result.count))
    }

    /// Adds the rows of a bound statement to a page, and returns how many there were, at most `wanted`. Those beyond
    /// the limit of the page are not read.
    private func read(
        _ statement: Statement, _ bound: Int, _ wanted: Int, _ limit: Int, into result: inout ResultPage,
        _ session: StoreSession
    ) throws(Fault) -> Int {
        try statement.bind(integer: Int64(wanted), at: bound + 1)
        var found = 0
        while try statement.step() {
            found += 1
            guard result.count < limit else {
                result.hasMore = true
                break
            }
            try append(statement, to: &result, session: session)
        }
        return found
    }

    private func append(_ row: Statement, to result: inout ResultPage, session: StoreSession) throws(Fault) {
        result.note(row)
        if query.returnsEntries {
            if !storesExternally {
                result.add(row.lentBytes(at: 2))
            } else {
                let text = try external(row.integer(at: 0), session)
                text.withUnsafeBytes { result.add($0) }
            }
            return
        }
        var cells: [StoreCell] = []
        cells.reserveCapacity(query.columns.count)
        for (index, column) in query.columns.enumerated() {
            switch column {
            case .value: cells.append(.value(row.value(at: index + 2)))
            case .entry: cells.append(.entry(row.bytes(at: index + 2)))
            case .externalEntry: cells.append(.entry(try external(row.integer(at: 0), session)))
            }
        }
        result.rows.append(cells)
    }

    private func external(_ id: Int64, _ session: StoreSession) throws(Fault) -> [UInt8] {
        guard let entry = try session.retrieve([id], from: soup.name).first else {
            throw Fault(.corrupt, "the file of an entry is missing")
        }
        return entry
    }

    static func bind(_ bound: BoundStatement, to statement: Statement) throws(Fault) {
        for (index, value) in bound.bindings.enumerated() {
            try statement.bind(value, at: index + 1)
        }
    }
}
