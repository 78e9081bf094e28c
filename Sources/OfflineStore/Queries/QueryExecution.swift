import SQLiteAccess
import SmartSQL
import Soups

/// Runs a query spec on a soup, page by page. Made anew when the schema has changed: columns may have other numbers then.
struct QueryExecution {
    let soup: RegisteredSoup
    let query: PageQuery
    let schemaVersion: Int64

    init(_ spec: QuerySpec, soup name: String, session: StoreSession) throws(Fault) {
        soup = try session.soup(name)
        query = try PageQuery(spec, soup: soup, permissive: session.options.permissivePaths)
        schemaVersion = session.knownSchemaVersion
    }

    func count(_ session: StoreSession) throws(Fault) -> Int {
        let bound = query.count
        let statement = try session.connection.statement(bound.sql)
        defer { statement.reset() }
        try Self.bind(bound, to: statement)
        session.note(statement, rows: 1)
        return try statement.step() ? Int(statement.integer(at: 0)) : 0
    }

    /// The ids of all matches.
    func ids(_ session: StoreSession) throws(Fault) -> [Int64] {
        let bound = query.ids
        let statement = try session.connection.statement(bound.sql)
        defer { statement.reset() }
        try Self.bind(bound, to: statement)
        var ids: [Int64] = []
        while try statement.step() { ids.append(statement.integer(at: 0)) }
        return ids
    }

    /// Runs the statements of a page until it is full.
    func run(_ page: PageQuery.Page, limit: Int, session: StoreSession) throws(Fault) -> ResultPage {
        var result = ResultPage(returnsEntries: query.returnsEntries)
        for bound in page.statements where result.count < limit {
            let statement = try session.connection.statement(bound.sql)
            defer { statement.reset() }
            try Self.bind(bound, to: statement)
            try statement.bind(integer: Int64(limit - result.count), at: bound.bindings.count + 1)
            while try statement.step() { try append(statement, to: &result, session: session) }
            session.note(statement, rows: result.count)
        }
        return page.isReversed ? result.reversed() : result
    }

    private func append(_ row: Statement, to result: inout ResultPage, session: StoreSession) throws(Fault) {
        let position = (id: row.integer(at: 0), key: row.value(at: 1))
        result.note(PageQuery.Position(key: position.key, id: position.id))
        if query.returnsEntries {
            if query.columns.first == .externalEntry {
                let text = try external(position.id, session)
                text.withUnsafeBytes { result.entries.append($0) }
            } else {
                row.withBytes(at: 2) { result.entries.append($0) }
            }
            return
        }
        var cells: [StoreCell] = []
        cells.reserveCapacity(query.columns.count)
        for (place, column) in query.columns.enumerated() {
            switch column {
            case .value: cells.append(.value(row.value(at: place + 2)))
            case .entry: cells.append(.entry(row.bytes(at: place + 2)))
            case .externalEntry: cells.append(.entry(try external(position.id, session)))
            }
        }
        result.rows.append(cells)
    }

    private func external(_ id: Int64, _ session: StoreSession) throws(Fault) -> [UInt8] {
        guard let entry = try session.retrieve([id], from: soup.name).first else { throw Fault(.corrupt, "the file of an entry is missing") }
        return entry
    }

    static func bind(_ bound: BoundStatement, to statement: Statement) throws(Fault) {
        for (place, value) in bound.bindings.enumerated() { try statement.bind(value, at: place + 1) }
    }
}

/// Gathers the rows of a page, with the places of its first and last.
struct ResultPage {
    let returnsEntries: Bool
    var entries = EntryList()
    var rows: [[StoreCell]] = []
    private(set) var first: PageQuery.Position?
    private(set) var last: PageQuery.Position?

    init(returnsEntries: Bool) { self.returnsEntries = returnsEntries }

    var count: Int { returnsEntries ? entries.count : rows.count }

    mutating func note(_ position: PageQuery.Position) {
        if first == nil { first = position }
        last = position
    }

    func page(_ index: Int) -> StorePage { StorePage(index: index, contents: returnsEntries ? .entries(entries) : .rows(rows)) }

    func reversed() -> ResultPage {
        var page = ResultPage(returnsEntries: returnsEntries)
        page.entries = entries.reversed()
        page.rows = rows.reversed()
        page.first = last
        page.last = first
        return page
    }
}
