import JSONText
import SQLiteAccess
import SmartSQL
import Soups

/// Runs a Smart SQL text, page by page, reading nothing but soup tables. Valid for one schema; translating again costs
/// a cache lookup.
struct SmartExecution {
    let query: TranslatedQuery
    let arguments: [SQLValue]
    private let smartSql: String

    init(_ spec: QuerySpec, arguments: [SQLValue], session: StoreSession) throws(Fault) {
        try spec.validate()
        guard spec.kind == .smart else {
            throw Fault(.invalidQuerySpec, "only smart queries run without a soup")
        }
        smartSql = spec.smartSql ?? ""
        query = try session.translate(smartSql)
        try query.checkArguments(arguments.count)
        self.arguments = arguments
    }

    func count(_ session: StoreSession) throws(Fault) -> Reported<Int> {
        try run(.count, [], session, rows: { _ in 1 }) { (row) throws(Fault) in
            try row.step() ? Int(row.integer(at: 0)) : 0
        }
    }

    /// The ids of all rows, from their column `id`.
    func ids(_ session: StoreSession) throws(Fault) -> Reported<[Int64]> {
        try run(.ids, [], session, rows: \.count) { (row) throws(Fault) in
            var ids: [Int64] = []
            while try row.step() {
                ids.append(row.integer(at: 0))
            }
            return ids
        }
    }

    /// - Parameter naming: Whether the page has the names of its columns.
    func page(
        at offset: Int, limit: Int, naming: Bool = false, session: StoreSession
    ) throws(Fault) -> Reported<ResultPage> {
        // Looked up first: while the text runs, nothing but soup tables can be read.
        let external = Set(try SoupReading.externalTables(session.connection))
        if !external.isEmpty {
            _ = try session.elements()
        }
        return try run(.page, [.integer(Int64(limit)), .integer(Int64(offset))], session, rows: \.count) {
            (row) throws(Fault) in
            let columns = Self.columns(of: row)
            var result = ResultPage(returnsEntries: false)
            if naming {
                result.columns = names(of: columns, row)
            }
            while result.rows.count < limit, try row.step() {
                var cells: [StoreCell] = []
                cells.reserveCapacity(columns.count)
                for column in columns {
                    cells.append(try cell(column, row, external, session))
                }
                result.rows.append(cells)
            }
            return result
        }
    }

    func run<R>(
        _ form: TranslatedQuery.Form, _ further: [SQLValue], _ session: StoreSession,
        rows: (R) -> Int, _ body: (Statement) throws(Fault) -> R
    ) throws(Fault) -> Reported<R> {
        do throws(Fault) {
            return try session.connection.restricted(to: session.reachOfTexts()) { () throws(Fault) in
                try session.connection.limited(to: session.options.smartQueryTime) { () throws(Fault) in
                    let statement = try session.connection.statement(query.sql(form))
                    defer { statement.reset() }
                    for (index, value) in (arguments + further).enumerated() {
                        try statement.bind(value, at: index + 1)
                    }
                    let result = try body(statement)
                    return Reported(result, session.report(statement, rows: rows(result)))
                }
            }
        } catch {
            throw query.located(error, in: form)
        }
    }

    // MARK: - Cells

    enum Column {
        case value(Int)
        case entry(Int)
        /// The name of the table of an entry in a file of its own; the next column is the entry's id.
        case external(Int)
    }

    /// What the columns hold, judged by their names as in Mobile SDK: a column named `soup` holds entries, and
    /// `externalStorage` followed by `_soupEntryId` is an entry in a file of its own.
    static func columns(of row: Statement) -> [Column] {
        var columns: [Column] = []
        var column = 0
        while column < row.columnCount {
            let name = row.columnName(at: column)
            if name.utf8.starts(with: "externalStorage".utf8), column + 1 < row.columnCount,
                row.columnName(at: column + 1).utf8.starts(with: "_soupEntryId".utf8)
            {
                columns.append(.external(column))
                column += 2
            } else {
                columns.append(TranslatedQuery.holdsEntries(column: name) ? .entry(column) : .value(column))
                column += 1
            }
        }
        return columns
    }

    /// Whether a text in a column that the user has named `soup` is an entry after all.
    private static func isObject(_ text: [UInt8]) -> Bool {
        guard text.first == UInt8(ascii: "{") else { return false }
        return (try? JSONValue(parsing: text)) != nil
    }

    /// The names of the columns: of a plain `{soup:path}` the path, else what SQLite says.
    func names(of columns: [Column], _ row: Statement) -> [String] {
        let paths = ResultColumns.paths(of: smartSql)
        return columns.enumerated().map { index, column in
            if let paths, paths.count == columns.count, let path = paths[index] {
                return path
            }
            switch column {
            case .value(let column), .entry(let column), .external(let column): return row.columnName(at: column)
            }
        }
    }

    func cell(
        _ column: Column, _ row: Statement, _ external: Set<Int64>, _ session: StoreSession
    ) throws(Fault) -> StoreCell {
        switch column {
        case .value(let column): return .value(row.value(at: column))
        case .entry(let column):
            guard case .text(let text) = row.value(at: column), query.onlyReferencesNameEntries || Self.isObject(text)
            else {
                return .value(row.value(at: column))
            }
            return .entry(text)
        case .external(let column):
            guard let table = SoupTableName(row.text(at: column)), !row.isNull(at: column + 1),
                external.contains(table.id)
            else {
                return .value(.null)
            }
            let id = row.integer(at: column + 1)
            guard
                let version = try session.connection.integer(
                    "SELECT lastModified FROM \(table) WHERE id = ?", .integer(id))
            else {
                return .value(.null)
            }
            return .entry(try session.element(ElementPlace(table: table.id, id: id, version: version)))
        }
    }
}
