import SQLiteAccess
public import Soups

extension SmartStore {
    /// Finds the entries whose full-text row is missing, left over, or holds other text than the soup's columns, in
    /// order of their ids.
    ///
    /// FTS5's own integrity check compares its index with its own copy of the text and cannot see this. Reads every
    /// entry's full-text columns once. The result is empty for a soup without full text, and for a store that only this
    /// library writes.
    ///
    /// - Throws: `soupNotFound`.
    public func entriesOutOfStepWithFullText(soup name: String) throws(Fault) -> [Int64] {
        try reading { (session) throws(Fault) in
            try session.entriesOutOfStepWithFullText(session.soup(name))
        }
    }
}

extension StoreSession {
    func entriesOutOfStepWithFullText(_ soup: RegisteredSoup) throws(Fault) -> [Int64] {
        let columns = soup.fullTextSpecs.compactMap(\.columnName)
        guard soup.fullTextVersion != nil, !columns.isEmpty else {
            return []
        }
        let (entries, texts) = (soup.tableName, soup.fullTextTableName)
        let differs = columns.map { "\(texts).\($0) IS NOT \(entries).\($0)" }.joined(separator: " OR ")
        let statement = try connection.statement(
            """
            SELECT \(entries).id FROM \(entries) LEFT JOIN \(texts) ON \(texts).rowid = \(entries).id WHERE \(texts).rowid IS NULL OR \(differs)
            UNION ALL SELECT rowid FROM \(texts) WHERE rowid NOT IN (SELECT id FROM \(entries)) ORDER BY 1
            """)
        defer { statement.reset() }
        return try statement.integers()
    }
}
