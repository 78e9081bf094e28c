import SQLiteAccess
import SmartSQL
import Soups

/// A query that was run before: the shape of its first page, with the prepared statements.
final class KnownQuery {
    let shape: PageShape
    let reading: PageReading
    let statements: [Statement]
    /// The statement that counts the matches; nil if the shape has none. Prepared with the others, in a transaction
    /// that knows the schema: prepared when it is first asked for, it could be one of a later schema.
    private let counting: Statement?
    /// The match expression that was asked for last, and its bindings: its matches are often counted next.
    private var lastMatch: (expression: String, bindings: PageShape.Bindings)?

    init(shape: PageShape, reading: PageReading, statements: [Statement], counting: Statement?) {
        self.shape = shape
        self.reading = reading
        self.statements = statements
        self.counting = counting
    }

    /// The bindings for the keys of a spec that fits; nil if its keys need other statements.
    func bindings(_ spec: QuerySpec) throws(Fault) -> PageShape.Bindings? {
        guard spec.kind == .match, case .string(let expression)? = spec.matchKey else {
            return try shape.bindings(spec)
        }
        if let lastMatch, ByteKey(lastMatch.expression) == ByteKey(expression) {
            try spec.validate()
            return lastMatch.bindings
        }
        let bindings = try shape.bindings(spec)
        lastMatch = bindings.map { (expression, $0) }
        return bindings
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

    /// Counts the matches with the bindings of a spec; nil if there is no statement for that.
    func count(_ bindings: PageShape.Bindings, session: StoreSession) throws(Fault) -> Reported<Int>? {
        guard let statement = counting else { return nil }
        defer { statement.reset() }
        try statement.bind(bindings, from: 0, count: shape.bindingCounts[0])
        let count = try statement.step() ? statement.integer(at: 0) : 0
        return Reported(Int(count), session.report(statement, rows: 1))
    }

    /// Whether the schema has changed since the statements were prepared.
    var wasPreparedAgain: Bool {
        statements.contains { $0.wasPreparedAgain } || counting?.wasPreparedAgain ?? false
    }
}

extension Statement {
    /// Binds `count` values of a shape, from the one at `first` on.
    func bind(_ bindings: PageShape.Bindings, from first: Int, count: Int) throws(Fault) {
        switch bindings {
        case .text(let text): try bind(text: text, at: 1)
        case .values(let values):
            for parameter in 0..<count {
                try bind(values[first + parameter], at: parameter + 1)
            }
        }
    }
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
        // A closure that uses the spec would copy all of it.
        let limit = spec.pageSize
        return known(spec, soup: name) { (known, bindings) throws(Fault) in
            try known.firstPage(bindings, limit: limit, session: self)
        }
    }

    /// Counts the matches of a query like one that was run before, as `knownFirstPage` runs its first page.
    func knownCount(_ spec: QuerySpec, soup name: String) -> Reported<Int>? {
        known(spec, soup: name) { (known, bindings) throws(Fault) in try known.count(bindings, session: self) } ?? nil
    }

    private func known<R>(
        _ spec: QuerySpec, soup name: String,
        _ run: (_ known: KnownQuery, _ bindings: PageShape.Bindings) throws(Fault) -> R
    ) -> R? {
        // A store that reads the files as they are checks them in each transaction.
        guard !connection.isInTransaction, options.access != .readOnly else { return nil }
        for index in schema.queries.indices.reversed() where schema.queries[index].shape.fits(spec, soup: name) {
            let known = schema.queries[index]
            do throws(Fault) {
                guard let bindings = try known.bindings(spec) else { continue }
                let result = try run(known, bindings)
                if !known.wasPreparedAgain {
                    let last = schema.queries.count - 1
                    if index < last {
                        schema.queries.swapAt(index, last)
                    }
                    return result
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
        var counting: Statement?
        if let count = shape.count {
            counting = try connection.prepare(count)
        }
        schema.queries.append(
            KnownQuery(shape: shape, reading: execution.reading, statements: statements, counting: counting))
    }
}
