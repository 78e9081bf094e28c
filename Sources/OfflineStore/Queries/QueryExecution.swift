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
        var result = ResultPage(returnsEntries: query.returnsEntries, limit: limit)
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
        result.note(row)
        if query.returnsEntries {
            if !soup.storesExternally {
                row.withBytes(at: 2) { result.add($0) }
            } else {
                let text = try external(row.integer(at: 0), session)
                text.withUnsafeBytes { result.add($0) }
            }
            return
        }
        var cells: [StoreCell] = []
        cells.reserveCapacity(query.columns.count)
        for (place, column) in query.columns.enumerated() {
            switch column {
            case .value: cells.append(.value(row.value(at: place + 2)))
            case .entry: cells.append(.entry(row.bytes(at: place + 2)))
            case .externalEntry: cells.append(.entry(try external(row.integer(at: 0), session)))
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
    private let limit: Int
    /// The place of the last row: its key's bytes are kept in one buffer, for a key of its own for each row would be an allocation for each.
    private var lastId: Int64?
    private var lastKey = SQLValue.null
    private var lastText: [UInt8] = []
    private var lastIsText = false

    init(returnsEntries: Bool, limit: Int = 0) {
        self.returnsEntries = returnsEntries
        self.limit = limit
    }

    var count: Int { returnsEntries ? entries.count : rows.count }

    var last: PageQuery.Position? {
        lastId.map { PageQuery.Position(key: lastIsText ? .text(lastText) : lastKey, id: $0) }
    }

    /// Keeps the place of a row: its id in column 0, its key in column 1.
    mutating func note(_ row: Statement) {
        let id = row.integer(at: 0)
        lastIsText = row.isText(at: 1)
        if lastIsText {
            row.withBytes(at: 1) { key in
                lastText.removeAll(keepingCapacity: true)
                lastText.append(contentsOf: key)
            }
        } else {
            lastKey = row.value(at: 1)
        }
        if lastId == nil { first = PageQuery.Position(key: lastIsText ? .text(lastText) : lastKey, id: id) }
        lastId = id
    }

    mutating func add(_ entry: UnsafeRawBufferPointer) {
        // Entries of a soup are of one size, more or less.
        if entries.isEmpty { entries.reserve(bytes: min((entry.count + entry.count / 8 + 1) * min(limit, 10_000), 4 << 20), entries: min(limit, 10_000)) }
        entries.append(entry)
    }

    func page(_ index: Int) -> StorePage { StorePage(index: index, contents: returnsEntries ? .entries(entries) : .rows(rows)) }

    func reversed() -> ResultPage {
        var page = ResultPage(returnsEntries: returnsEntries)
        page.entries = entries.reversed()
        page.rows = rows.reversed()
        page.first = last
        page.lastId = first?.id
        page.lastKey = first?.key ?? .null
        return page
    }
}
