import SQLiteAccess
import SmartSQL
import Soups

/// Looks up many keys with one prepared statement.
struct LookUpExecution {
    let soup: RegisteredSoup
    private let query: LookUpQuery

    init(path: String, selecting: [String], soup name: String, session: StoreSession) throws(Fault) {
        soup = try session.soup(name)
        query = try LookUpQuery(
            path: path, selecting: selecting, soup: soup, permissive: session.options.permissivePaths)
    }

    func rows(of keys: [SQLValue], session: StoreSession) throws(Fault) -> Reported<[[StoreCell]]> {
        try rows(keys, session) { query.bindings(of: $0) }
    }

    /// - Parameter keys: Those of query specs; nil equals no value.
    func rows(of keys: [QuerySpec.Key?], session: StoreSession) throws(Fault) -> Reported<[[StoreCell]]> {
        try rows(keys, session) { key in key.map { query.bindings(of: $0) } }
    }

    private func rows<Key>(
        _ keys: [Key], _ session: StoreSession, bindings: (Key) -> [SQLValue]?
    ) throws(Fault) -> Reported<[[StoreCell]]> {
        let statement = try session.connection.statement(query.sql)
        defer { statement.clear() }
        var rows: [[StoreCell]] = []
        rows.reserveCapacity(keys.count)
        for key in keys {
            guard let values = bindings(key) else { continue }
            for (index, value) in values.enumerated() {
                try statement.bind(value, at: index + 1)
            }
            while try statement.step() {
                rows.append(try cells(of: statement, session))
            }
            statement.reset()
        }
        return Reported(rows, session.report(statement, rows: rows.count))
    }

    private func cells(of row: Statement, _ session: StoreSession) throws(Fault) -> [StoreCell] {
        var cells: [StoreCell] = []
        cells.reserveCapacity(query.columns.count)
        for (index, column) in query.columns.enumerated() {
            switch column {
            case .value: cells.append(.value(row.value(at: index + 1)))
            case .entry: cells.append(.entry(row.bytes(at: index + 1)))
            case .externalEntry:
                guard let entry = try session.retrieve([row.integer(at: 0)], from: soup.name).first else {
                    throw Fault(.corrupt, "the file of an entry is missing", context: [.soup(soup.name)])
                }
                cells.append(.entry(entry))
            }
        }
        return cells
    }
}
