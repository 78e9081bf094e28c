import SQLiteAccess
import SmartSQL
import Soups

extension QueryExecution {
    /// Shows the entries of the query one at a time, as SQLite lends them.
    func forEach(
        _ session: StoreSession, _ body: (borrowing EntryView) throws -> StoreReader.Step
    ) throws {
        for bound in query.firstPage.statements {
            let statement = try session.connection.statement(bound.sql)
            defer { statement.reset() }
            try Self.bind(bound, to: statement)
            // As many rows as there are.
            try statement.bind(integer: .max, at: bound.bindings.count + 1)
            while try statement.step() {
                guard try show(statement, session, body) == .next else { return }
            }
        }
    }

    private func show(
        _ row: Statement, _ session: StoreSession, _ body: (borrowing EntryView) throws -> StoreReader.Step
    ) throws -> StoreReader.Step {
        let id = row.integer(at: 0)
        guard reading.externalSoup != nil else {
            return try body(EntryView(id: id, text: row.lentBytes(at: 2)))
        }
        return try reading.external(id, session).withUnsafeBytes { try body(EntryView(id: id, text: $0)) }
    }
}
