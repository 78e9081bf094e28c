import SmartSQL
public import Soups

// MARK: - Smart SQL
extension SmartStore {
    /// Runs a smart query, with values for its `?`, and shows its first page. Rows are arrays; a column that is a plain
    /// `{soup:_soup}` holds entries.
    ///
    /// ```swift
    /// let spec = QuerySpec.smart("SELECT {contacts:name}, {contacts:age} FROM {contacts} WHERE {contacts:age} >= ?")
    /// let cursor = try store.runSmartQuery(spec, arguments: [.integer(18)])
    /// let rows = cursor.currentPage.rows
    /// ```
    ///
    /// The rows are counted at once. Pages are cut by LIMIT and OFFSET, because the rows of an arbitrary SELECT have no
    /// key. So page n costs as much as the n pages before it, and rows that are added or removed in the meantime shift
    /// the others. Their order is defined only if the text has an ORDER BY. Cursors of the other kinds continue from
    /// the keys of the page shown.
    ///
    /// - Throws: `invalidQuerySpec`, `invalidPageSize`, `argumentsMismatch`; `limitExceeded` if it runs for longer than
    ///   ``StoreOptions/smartQueryTime``; with the byte offset into the Smart SQL: `notASelect`, `invalidReference`,
    ///   `soupNotFound`, `pathNotIndexed`, `matchInSmartSQL`, `sqlError`.
    public func runSmartQuery(_ spec: QuerySpec, arguments: [SQLValue] = []) throws(Fault) -> StoreCursor {
        try reading(.query) { (session) throws(Fault) in
            let execution = try SmartExecution(spec, arguments: arguments, session: session)
            let total = try execution.count(session)
            let first = try execution.page(at: 0, limit: spec.pageSize, session: session)
            let cursor = StoreCursor(
                id: connections.nextCursorId(), pageSize: spec.pageSize, totalEntries: total.value, first: first.value,
                source: SmartCursorSource(store: self, spec: spec, arguments: arguments))
            return Reported(cursor, first.report)
        }
    }

    /// Counts the rows of a smart query.
    ///
    /// - Throws: as `runSmartQuery`.
    public func count(_ spec: QuerySpec, arguments: [SQLValue] = []) throws(Fault) -> Int {
        try reading(.count) { (session) throws(Fault) in
            try SmartExecution(spec, arguments: arguments, session: session).count(session)
        }
    }

    /// Returns the SQL for a Smart SQL text as Mobile SDK would write it. The SQL that runs may differ from it if that
    /// text would be ambiguous.
    ///
    /// - Throws: as `runSmartQuery` for a text that is not valid, with the byte offset into it.
    public func translate(smartSql: String) throws(Fault) -> String {
        try reading { (session) throws(Fault) in try session.translate(smartSql).sql }
    }

    /// Runs a smart query as `runSmartQuery` does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func runSmartQuery(_ spec: QuerySpec, arguments: [SQLValue] = []) async throws -> StoreCursor {
        try await connections.perform(.reading) { try self.runSmartQuery(spec, arguments: arguments) }
    }
}
