import SmartSQL
public import Soups

// MARK: - Rows without a cursor
extension SmartStore {
    /// Reads the first rows of a Smart SQL text, at most `limit`, without a cursor and without counting the others: one
    /// statement, stepped at most `limit` times.
    ///
    /// ```swift
    /// let text = "SELECT {contacts:_soupEntryId} FROM {contacts} WHERE {contacts:_soupEntryId} > ? ORDER BY 1"
    /// var all: [[StoreCell]] = []
    /// var rows = try store.rows(text, arguments: [.integer(0)], limit: 1000)
    /// while case .value(.integer(let last))? = rows.last?.first {
    ///     all += rows
    ///     rows = try store.rows(text, arguments: [.integer(last)], limit: 1000)
    /// }
    /// ```
    ///
    /// A walk that continues from a key of the last row, as this one, costs as much as the rows that it reads. Cells
    /// are those of `runSmartQuery`. Inside `transaction` it sees what the transaction has written.
    ///
    /// - Throws: as `runSmartQuery`; `invalidPageSize` if the limit is less than 1.
    public func rows(_ smartSql: String, arguments: [SQLValue] = [], limit: Int) throws(Fault) -> [[StoreCell]] {
        try reading(.query) { (session) throws(Fault) in
            let spec = QuerySpec.smart(smartSql, pageSize: limit)
            let page = try SmartExecution(spec, arguments: arguments, session: session).page(
                at: 0, limit: limit, session: session)
            return Reported(page.value.rows, page.report)
        }
    }

    /// Shows each row of a Smart SQL text to a closure until it returns false, so that large rows need not be held: one
    /// statement, stepped as often as rows are shown.
    ///
    /// ```swift
    /// let text = "SELECT {contacts:_soupEntryId}, {contacts:_soup} FROM {contacts} ORDER BY 1"
    /// try store.rows(text) { row in
    ///     if case .entry(let bytes) = try row.cell(at: 1) {
    ///         total += bytes.count
    ///     }
    ///     return total < 1_000_000
    /// }
    /// ```
    ///
    /// A row is valid only inside the closure, which must not call the store. All rows are of one state of the store;
    /// inside `transaction` they are what it has written.
    ///
    /// - Throws: as `runSmartQuery`; what the closure throws; `busy` if the file of an external entry was replaced
    ///   before it could be read, after rows were shown: begin again.
    public func rows(
        _ smartSql: String, arguments: [SQLValue] = [], show: (VisitedRow) throws -> Bool
    ) throws {
        var thrown: (any Error)?
        try visitRows(smartSql, arguments: arguments) { (row) throws(Fault) in
            do {
                return try show(row)
            } catch {
                thrown = error
                return false
            }
        }
        if let thrown {
            throw thrown
        }
    }

    /// Shows rows as `rows(_:arguments:show:)` does to a closure whose faults are those of the store.
    package func visitRows(
        _ smartSql: String, arguments: [SQLValue], _ visit: (VisitedRow) throws(Fault) -> Bool
    ) throws(Fault) {
        var wereShown = false
        try reading(.query) { (session) throws(Fault) in
            guard !wereShown else {
                throw Fault(.busy, "an entry changed while rows were shown; begin again")
            }
            let shown = try SmartExecution(.smart(smartSql, pageSize: 1), arguments: arguments, session: session)
                .visit(session) { (row) throws(Fault) in
                    wereShown = true
                    return try visit(row)
                }
            return Reported((), shown.report)
        }
    }

    /// Looks up many keys at an indexed path, and reads what is selected of each entry that has one of them: rows in
    /// the order of the keys, those of one key in the order of their entry ids.
    ///
    /// ```swift
    /// let keys: [SQLValue] = [.text("Ada"), .text("Grace")]
    /// let found = try store.lookUp(keys, path: "name", in: "contacts", selecting: ["name", "_soupEntryId"])
    /// ```
    ///
    /// One prepared statement is run once for each key. A key that is absent gives no row, one that is given twice
    /// gives its rows twice, and `.null` equals no value. Keys are converted as those of an `exact` query: 7 finds the
    /// text `7` at a string index. Among the selected paths, `_soup` is the entry and `_soupEntryId` its id.
    ///
    /// - Throws: `soupNotFound`, `pathNotIndexed`; `invalidQuerySpec` if nothing is selected.
    public func lookUp(
        _ keys: [SQLValue], path: String, in soup: String, selecting: [String]
    ) throws(Fault) -> [[StoreCell]] {
        try reading(.lookup) { (session) throws(Fault) in
            try LookUpExecution(path: path, selecting: selecting, soup: soup, session: session).rows(
                of: keys, session: session)
        }
    }

    /// Looks up keys of query specs, which may be booleans and numbers as they are written. Nil equals no value.
    package func lookUp(
        specKeys keys: [QuerySpec.Key?], path: String, in soup: String, selecting: [String]
    ) throws(Fault) -> [[StoreCell]] {
        try reading(.lookup) { (session) throws(Fault) in
            try LookUpExecution(path: path, selecting: selecting, soup: soup, session: session).rows(
                of: keys, session: session)
        }
    }

    /// Reads rows as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func rows(_ smartSql: String, arguments: [SQLValue] = [], limit: Int) async throws -> [[StoreCell]] {
        try await connections.perform(.reading) { try self.rows(smartSql, arguments: arguments, limit: limit) }
    }

    /// Looks up keys as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func lookUp(
        _ keys: [SQLValue], path: String, in soup: String, selecting: [String]
    ) async throws -> [[StoreCell]] {
        try await connections.perform(.reading) {
            try self.lookUp(keys, path: path, in: soup, selecting: selecting)
        }
    }
}
