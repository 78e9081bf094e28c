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
            // A count has one row.
            _ = try row.step()
            return Int(row.integer(at: 0))
        }
    }

    /// The ids of all rows, from their column `id`.
    func ids(_ session: StoreSession) throws(Fault) -> Reported<[Int64]> {
        try run(.ids, [], session, rows: \.count) { (row) throws(Fault) in
            var ids: [Int64] = []
            while try row.step() {
                if let id = Self.id(row.value(at: 0)) {
                    ids.append(id)
                }
            }
            return ids
        }
    }

    /// The entry id that a value equals, as SQLite compares it with a column of ids: a whole number, also as REAL or as
    /// text. Nil for any other value, which equals none.
    private static func id(_ value: SQLValue) -> Int64? {
        switch value {
        case .integer(let id): return id
        case .real(let number): return Int64(exactly: number)
        case .text(let bytes):
            let words = bytes.split { $0 == 0x20 || (0x09...0x0D).contains($0) }
            guard words.count == 1, words[0].allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
            let text = String(decoding: words[0], as: UTF8.self)
            return Int64(text) ?? Double(text).flatMap { Int64(exactly: $0) }
        case .null, .blob: return nil
        }
    }

    /// - Parameter naming: Whether the page has the names of its columns.
    func page(
        at offset: Int, limit: Int, naming: Bool = false, session: StoreSession
    ) throws(Fault) -> Reported<ResultPage> {
        let external = try externalTables(session)
        return try run(.page, [.integer(Int64(limit)), .integer(Int64(offset))], session, rows: \.count) {
            (row) throws(Fault) in
            let columns = columns(of: row)
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
            return try session.connection.restricted(to: session.reach(of: query)) { () throws(Fault) in
                try session.connection.limited(to: session.options.smartQueryTime) { () throws(Fault) in
                    let (sql, last) = query.statement(form, further: further)
                    let statement = try session.connection.statement(sql)
                    defer { statement.reset() }
                    for (index, value) in (arguments + last).enumerated() {
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
        /// Entries, some of which are in files of their own.
        case reference(Int)
    }

    /// What the columns hold, judged by their names as in Mobile SDK: a column named `soup` holds entries.
    func columns(of row: Statement) -> [Column] {
        (0..<row.columnCount).map { column in
            guard query.holdsEntries(column: row.columnName(at: column)) else {
                return .value(column)
            }
            return query.readsExternalEntries ? .reference(column) : .entry(column)
        }
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
            case .value(let column), .entry(let column), .reference(let column): return row.columnName(at: column)
            }
        }
    }

    func cell(
        _ column: Column, _ row: Statement, _ external: Set<Int64>, _ session: StoreSession
    ) throws(Fault) -> StoreCell {
        let isEntry: Bool
        let value: SQLValue
        switch column {
        case .value(let index): (isEntry, value) = (false, row.value(at: index))
        case .entry(let index), .reference(let index): (isEntry, value) = (true, row.value(at: index))
        }
        if query.readsExternalEntries, case .blob(let bytes) = value, let reference = ExternalReference(bytes),
            external.contains(reference.table.id)
        {
            guard let entry = try entry(reference, session) else {
                return .value(.null)
            }
            // Under another name a column has the text of the entry.
            return isEntry ? .entry(entry) : .value(.text(entry))
        }
        guard isEntry, case .text(let text) = value, query.onlyReferencesNameEntries || Self.isObject(text) else {
            return .value(value)
        }
        return .entry(text)
    }
}
