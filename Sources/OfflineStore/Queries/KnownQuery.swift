import SQLiteAccess
import SmartSQL
import Soups

/// A query that was run before: the shape of its first page, with the prepared statements.
final class KnownQuery {
    let shape: PageShape
    let reading: PageReading
    let statements: [Statement]

    init(shape: PageShape, reading: PageReading, statements: [Statement]) {
        self.shape = shape
        self.reading = reading
        self.statements = statements
    }

    /// Runs the statements with the bindings of a spec.
    func firstPage(
        _ bindings: PageShape.Bindings, limit: Int, session: StoreSession
    ) throws(Fault) -> Reported<ResultPage> {
        if statements.count == 1 {
            return try reading.run(statements, shape.bindingCounts, bindings, limit: limit, session: session)
        }
        return try session.connection.transaction(.deferred) { () throws(Fault) in
            try reading.run(statements, shape.bindingCounts, bindings, limit: limit, session: session)
        }
    }

    /// Whether the schema has changed since the statements were prepared.
    var wasPreparedAgain: Bool { statements.contains { $0.wasPreparedAgain } }
}

extension StoreSession {
    /// As many as an app has lists and searches; more would make the search for one slower than what it saves.
    private static let knownQueriesLimit = 64

    /// Runs the first page of a query like one that was run before; nil if there was none, or if the schema has changed
    /// or anything fails: the caller then runs the query from the beginning, which finds the reason.
    ///
    /// Runs one statement without a transaction and without reading the schema: the statement is its own snapshot, and
    /// SQLite says if it had to prepare it again, as it does when the schema has changed. Several statements are run in
    /// a transaction, which shows them one state.
    func knownFirstPage(_ spec: QuerySpec, soup name: String) -> Reported<ResultPage>? {
        // A store that reads the files as they are checks them in each transaction.
        guard !connection.isInTransaction, options.access != .readOnly else { return nil }
        for index in schema.queries.indices.reversed() where schema.queries[index].shape.fits(spec, soup: name) {
            let known = schema.queries[index]
            do throws(Fault) {
                guard let bindings = try known.shape.bindings(spec) else { continue }
                let page = try known.firstPage(bindings, limit: spec.pageSize, session: self)
                if !known.wasPreparedAgain {
                    let last = schema.queries.count - 1
                    if index < last {
                        schema.queries.swapAt(index, last)
                    }
                    return page
                }
            } catch {
                // The real reason is found by the caller.
            }
            schema.queries.remove(at: index)
            return nil
        }
        return nil
    }

    /// Keeps what the next query of the same shape needs. Inside a reading call, whose schema the query knows.
    func keep(_ execution: QueryExecution, for spec: QuerySpec) throws(Fault) {
        // The files of external entries belong to one state of the database, which only a transaction shows.
        guard level == 0, !execution.storesExternally, options.access != .readOnly,
            let shape = PageShape(spec, query: execution.query, soup: execution.soup)
        else { return }
        if schema.queries.count >= Self.knownQueriesLimit {
            schema.queries.removeFirst()
        }
        let statements = try shape.statements.map { sql throws(Fault) in try connection.prepare(sql) }
        schema.queries.append(KnownQuery(shape: shape, reading: execution.reading, statements: statements))
    }
}
