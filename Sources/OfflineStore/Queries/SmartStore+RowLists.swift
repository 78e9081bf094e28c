public import Soups

extension SmartStore {
    /// Reads all rows of a Smart SQL text, with the names of their columns.
    ///
    /// ```swift
    /// let rows = try store.rows("SELECT {contacts:name} FROM {contacts} WHERE {contacts:age} > ?", arguments: [30])
    /// let names = try rows.map { try $0.string(0) }
    /// ```
    ///
    /// - Throws: as `runSmartQuery`.
    public func rows(_ smartSql: String, arguments: [SQLValue] = []) throws(Fault) -> RowList {
        try reading { (session) throws(Fault) in try StoreReader(session).rows(smartSql, arguments: arguments) }
    }

    /// Reads rows as the blocking form does, on a thread of the store.
    ///
    /// - Throws: also `CancellationError`.
    public func rows(_ smartSql: String, arguments: [SQLValue] = []) async throws -> RowList {
        try await connections.perform(.reading) { try self.rows(smartSql, arguments: arguments) as RowList }
    }
}
