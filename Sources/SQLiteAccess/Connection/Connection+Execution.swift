import CSQLite
public import Soups

extension Connection {
    /// Returns the statement of that text, prepared once and cached. It is reset, and no value is bound.
    ///
    /// If a statement of the same text is still in use, another one is prepared.
    ///
    /// - Throws: `sqlError` with the byte offset into the text, `closed`.
    public func statement(_ sql: String) throws(Fault) -> Statement {
        try requireOpen()
        if let kept = statements.take(sql) {
            return kept
        }
        let statement = try Statement(sql, on: self)
        statements.keep(statement)
        return statement
    }

    /// Prepares a statement that is not cached, for texts that are run once.
    public func prepare(_ sql: String) throws(Fault) -> Statement {
        try requireOpen()
        return try Statement(sql, on: self)
    }

    /// Runs one or more statements without bound values and ignores their rows.
    public func execute(_ sql: String) throws(Fault) {
        try requireOpen()
        try handle.watch.check()
        let code = handle.execute(sql)
        guard code.rawValue != SQ_OK else { return }
        let fault = Fault.sqlite(code.rawValue, handle, doing: "running a statement", mayQuoteValues: false)
        throw handle.watch.note(fault, isInTransaction: isInTransaction)
    }

    /// Reads the first column of the first row; `nil` if the statement gives no row.
    public func value(_ sql: String, _ values: SQLValue...) throws(Fault) -> SQLValue? {
        let statement = try statement(sql)
        defer { statement.reset() }
        for (index, value) in values.enumerated() {
            try statement.bind(value, at: index + 1)
        }
        // `.none`, because `nil` would be the literal of the value NULL here.
        guard try statement.step() else { return .none }
        return statement.value(at: 0)
    }

    /// Reads the first column of the first row as an integer; nil if there is no row or the value is NULL.
    public func integer(_ sql: String, _ values: SQLValue...) throws(Fault) -> Int64? {
        let statement = try statement(sql)
        defer { statement.reset() }
        for (index, value) in values.enumerated() {
            try statement.bind(value, at: index + 1)
        }
        guard try statement.step(), !statement.isNull(at: 0) else { return nil }
        return statement.integer(at: 0)
    }

    public var lastInsertRowID: Int64 { sq_last_insert_rowid(handle.table, handle.database) }

    /// The number of rows that the last statement inserted, changed or deleted.
    public var changes: Int64 { sq_changes64(handle.table, handle.database) }

    /// Reads a number that grows with every change of the schema, by any process. Source:
    /// https://sqlite.org/pragma.html#pragma_schema_version.
    public func schemaVersion() throws(Fault) -> Int64 { try integer("PRAGMA schema_version") ?? 0 }

    /// Makes a statement that runs in another thread fail. The only call that another thread may make.
    public func interrupt() { sq_interrupt(handle.table, handle.database) }
}
