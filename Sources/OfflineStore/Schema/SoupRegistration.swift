import SQLiteAccess
import Soups

/// Creates and removes soups: the row in `soup_attrs`, the tables and indexes, the index map. Always inside one
/// transaction of the caller.
enum SoupRegistration {
    /// Registers a soup that does not exist yet. The caller has checked the specs.
    static func add(_ spec: SoupSpec, _ indexSpecs: [IndexSpec], session: StoreSession) throws(Fault) {
        let external = spec.features.contains(.externalStorage)
        // Rows without a soup would become specs of this one.
        try session.connection.run("DELETE FROM soup_index_map WHERE soupName = ?", .text(spec.name))
        try session.connection.run(
            "INSERT INTO soup_attrs (soupName, externalStorage) VALUES (?, ?)", .text(spec.name),
            .boolean(external))
        let table = SoupTable(
            id: session.connection.lastInsertRowID, indexSpecs: indexSpecs, storesExternally: external,
            hasFullTextIndexes: session.options.fullTextIndexes)
        try createTables(table, soupName: spec.name, session: session)
        if external {
            _ = try session.elements()
        }
        session.changes.noteRegistration(table: table.id, soup: spec.name)
    }

    /// Creates the table, its full-text table and its indexes, and records the specs.
    static func createTables(_ table: SoupTable, soupName: String, session: StoreSession) throws(Fault) {
        let connection = session.connection
        try connection.execute(table.createTable)
        if let fullText = table.createFullText(session.options.fullTextVersion) {
            try connection.execute(fullText)
        }
        for index in table.createIndexes {
            try connection.execute(index)
        }
        try noteSpecs(of: table, soupName: soupName, in: connection)
    }

    /// Adds the rows of the index map, in the order of the specs.
    static func noteSpecs(of table: SoupTable, soupName: String, in connection: Connection) throws(Fault) {
        for spec in table.indexSpecs {
            try connection.run(
                "INSERT INTO soup_index_map (soupName, path, columnName, columnType) VALUES (?, ?, ?, ?)",
                .text(soupName), .text(spec.path), .text(spec.columnName ?? ""), .text(spec.type.rawValue))
        }
    }

    /// Drops a soup with everything in it; its files are removed when the transaction is committed.
    ///
    /// The table may be gone: Mobile SDK drops it before the transaction that deletes the soup's rows, and a crash in
    /// between leaves the rows.
    static func remove(_ soup: RegisteredSoup, session: StoreSession) throws(Fault) {
        let connection = session.connection
        if soup.storesExternally {
            if connection.hasTable(soup.tableName) {
                try session.removeElementsAfterCommit(of: soup, andFolder: true)
            } else {
                session.collectElementsAfterCommit(ofTable: soup.id)
            }
        }
        if soup.fullTextVersion != nil {
            try connection.execute("DROP TABLE \(soup.fullTextTableName)")
        }
        try connection.execute("DROP TABLE IF EXISTS \(soup.tableName)")
        try connection.run("DELETE FROM soup_index_map WHERE soupName = ?", .text(soup.name))
        try connection.run("DELETE FROM soup_attrs WHERE id = ?", .integer(soup.id))
        session.changes.note(.dropped, table: soup.id, soup: soup.name)
    }

    /// Removes every entry. The sequence of ids goes on.
    static func clear(_ soup: RegisteredSoup, session: StoreSession) throws(Fault) {
        // Only the files of the rows that exist now: the same transaction, or another process, may write more into the
        // folder.
        if soup.storesExternally {
            try session.removeElementsAfterCommit(of: soup, andFolder: false)
        }
        try session.connection.execute("DELETE FROM \(soup.tableName)")
        if session.connection.changes > 0 {
            session.changes.note(.cleared, table: soup.id, soup: soup.name)
        }
        if soup.fullTextVersion != nil {
            try session.connection.execute("DELETE FROM \(soup.fullTextTableName)")
        }
    }
}
