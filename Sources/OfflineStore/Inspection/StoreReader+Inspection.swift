import SQLiteAccess
import SmartSQL
package import Soups

/// What `soup inspect` asks of a store besides its entries. Nothing of it writes, and each part can be read while
/// others are damaged.
extension StoreReader {
    /// The names of all soups, in the order of their registration.
    package func soupNames() throws(Fault) -> [String] { try SoupReading.names(in: session.connection) }

    /// A soup with its index specs, also while an alteration of it is unfinished.
    ///
    /// - Throws: `soupNotFound`, `corrupt`.
    package func soup(_ name: String) throws(Fault) -> RegisteredSoup {
        guard let soup = try session.soup(named: name, whileAltering: true) else {
            throw SoupRules.missing(name)
        }
        return soup
    }

    /// The number of entries of a soup, and the date of the last change of one; nil for a soup without entries.
    package func entries(of soup: RegisteredSoup) throws(Fault) -> (count: Int, lastChange: Int64?) {
        try session.requireTable(of: soup)
        let rows = try session.connection.prepare("SELECT count(*), max(lastModified) FROM \(soup.tableName)")
        // An aggregate has one row, also over an empty table.
        _ = try rows.step()
        return (Int(rows.integer(at: 0)), rows.isNull(at: 1) ? nil : rows.integer(at: 1))
    }

    /// The bytes of each table and index of the file, for `bytes(of:_:)`; nil if the library cannot tell, or a page is
    /// damaged. Reads every page.
    package func pageBytes() -> [String: Int64]? { session.connection.pageBytes() }

    /// The bytes that a soup takes, its indexes, full text and files included.
    package func bytes(of soup: RegisteredSoup, _ pages: [String: Int64]?) throws(Fault) -> Int64 {
        let size = try session.size(of: soup, pages)
        return size.table + size.indexes + size.fullText + size.files
    }

    /// The number of different values of an index, and of entries without one.
    package func values(
        of spec: IndexSpec, in soup: RegisteredSoup
    ) throws(Fault) -> (different: Int, missing: Int) {
        guard let column = spec.columnName else { return (0, 0) }
        let rows = try session.connection.prepare(
            "SELECT count(DISTINCT \(column)), count(*) - count(\(column)) FROM \(soup.tableName)")
        // An aggregate has one row, also over an empty table.
        _ = try rows.step()
        return (Int(rows.integer(at: 0)), Int(rows.integer(at: 1)))
    }

    /// An operation that was cut, and has to be finished.
    package struct Pending {
        /// `alteration` or `migration`.
        package let kind: String
        /// The soup that it works on; nil between two calls of a migration.
        package let soup: String?
        /// The id of a migration; nil for an alteration.
        package let id: String?
        /// The step of an alteration; the number of finished calls of a migration.
        package let step: String
        /// The last entry that a migration has done in the soup.
        package let position: Int64?
    }

    /// The alterations and migrations that are unfinished.
    package func pendingOperations() throws(Fault) -> [Pending] {
        let alterations = try LongOperation.all(session.connection).map {
            Pending(kind: "alteration", soup: $0.details.soupName, id: nil, step: $0.status.rawValue, position: nil)
        }
        let migrations = try MigrationTable.rows(session.connection).filter { !$0.isFinished }.map {
            Pending(
                kind: "migration", soup: $0.soup, id: $0.id, step: String($0.calls),
                position: $0.soup == nil ? nil : $0.position)
        }
        return alterations + migrations
    }

    /// The version that the file says it has: 3 for stores of Mobile SDK and of this library.
    package func schemaVersion() throws(Fault) -> Int64 { try session.connection.number("PRAGMA user_version") }

    /// What the connection says of the file: names of pragmas with their answers, in one order. The journal mode is left
    /// out where it is not known: of a file that is read as one that never changes SQLite says `delete`.
    package func settings() throws(Fault) -> [(name: String, value: String)] {
        let connection = session.connection
        var names = [
            "page_size", "page_count", "freelist_count", "journal_mode", "encoding", "auto_vacuum", "user_version",
        ]
        if session.options.key != nil {
            names += [
                "cipher_version", "cipher_provider", "cipher_page_size", "kdf_iter", "cipher_hmac_algorithm",
                "cipher_kdf_algorithm", "cipher_plaintext_header_size", "cipher_use_hmac",
            ]
        }
        let isFrozen = session.options.access == .readOnly && !session.options.settings.readsInPlace
        var settings: [(name: String, value: String)] = []
        for name in names {
            let rows = try connection.prepare("PRAGMA \(name)")
            guard try rows.step(), !rows.isNull(at: 0) else { continue }
            let value = rows.text(at: 0)
            if name != "journal_mode" || !isFrozen || value == "wal" {
                settings.append((name, value))
            }
        }
        return settings
    }

    // MARK: - Rows and lines

    /// Shows the rows of a text, one at a time: Smart SQL, or with `isRaw` a SELECT over any table of the file. Neither
    /// can write, attach a file or call a pragma.
    ///
    /// - Parameters:
    ///   - columns: Called once, before the first row, with the names of the columns.
    ///   - show: Returns false to end.
    /// - Throws: as `rows`; what `show` throws.
    package func forEachRow(
        _ sql: String, arguments: [SQLValue], isRaw: Bool, columns: ([String]) throws(Fault) -> Void,
        _ show: ([StoreCell]) throws(Fault) -> Bool
    ) throws(Fault) {
        try prepare()
        guard isRaw else {
            let execution = try SmartExecution(.smart(sql), arguments: arguments, session: session)
            _ = try execution.visit(session, begin: { (names) throws(Fault) in try columns(names()) }) {
                (row) throws(Fault) in try show(row.cells())
            }
            return
        }
        let connection = session.connection
        // Created when first used, which a restricted text may not do.
        _ = try connection.statement("SELECT 1 FROM json_each('[]'), json_tree('[]')")
        let names = try texts("SELECT name FROM sqlite_master") + ["sqlite_master", "sqlite_schema"]
        let reach = Connection.Reach(tables: names + ["json_each", "json_tree"], schema: names)
        try connection.restricted(to: reach) { () throws(Fault) in
            let statement = try connection.prepare(sql)
            guard statement.columnCount > 0 else {
                throw Fault(.notASelect, "only a SELECT can be run here")
            }
            guard statement.parameterCount == arguments.count else {
                throw Fault(
                    .argumentsMismatch,
                    "the statement has \(statement.parameterCount) parameters, but \(arguments.count) arguments are given"
                )
            }
            for (index, value) in arguments.enumerated() {
                try statement.bind(value, at: index + 1)
            }
            try columns((0..<statement.columnCount).map { statement.columnName(at: $0) })
            while try statement.step() {
                guard try show((0..<statement.columnCount).map { .value(statement.value(at: $0)) }) else { break }
            }
        }
    }

    /// Gives the entries of a soup as lines, in the order of their ids, each with its line feed.
    package func forEachLine(
        of soup: String, systemFields: Bool, _ body: ([UInt8]) throws(Fault) -> Void
    ) throws(Fault) {
        let soup = try self.soup(soup)
        try session.requireTable(of: soup)
        try LineExport(soup: soup, session: session, systemFields: systemFields).forEachLine(body)
    }

    private func texts(_ sql: String) throws(Fault) -> [String] {
        let rows = try session.connection.prepare(sql)
        return try rows.texts()
    }

    // MARK: - Key-value stores

    /// Whether the file is a key-value store.
    package func isKeyValueStore() throws(Fault) -> Bool { try KeyValueTables.exist(in: session.connection) }

    /// Shows the keys of a key-value store, in the order of their bytes, with the size and the date of each value.
    package func forEachKey(_ body: (_ key: String, _ bytes: Int64, _ modified: Int64) -> Void) throws(Fault) {
        let rows = try session.connection.prepare(
            """
            SELECT key, CASE WHEN pieces IS NULL THEN ifnull(length(CAST(value AS BLOB)), 0) ELSE ifnull((SELECT \
            sum(length(data)) FROM kv_pieces WHERE kv_pieces.pieces = kv.pieces), 0) END, modified FROM kv ORDER BY key
            """)
        while try rows.step() {
            body(rows.text(at: 0), rows.integer(at: 1), rows.integer(at: 2))
        }
    }
}
