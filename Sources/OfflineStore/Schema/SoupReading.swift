import SQLiteAccess
import Soups

/// Reads the descriptions of soups from the meta tables.
enum SoupReading {
    /// The soup of exactly this name (SQLite compares text by bytes).
    static func soup(named name: String, in connection: Connection) throws(Fault) -> RegisteredSoup? {
        guard let location = try location(ofSoup: name, in: connection) else { return nil }
        let id = location.table.id
        let specs = try indexSpecs(of: name, in: connection)
        return RegisteredSoup(
            spec: SoupSpec(name: name, features: location.storesExternally ? [.externalStorage] : []), id: id,
            indexSpecs: specs,
            fullTextVersion: try fullTextVersion(of: id, in: connection),
            hasFullTextIndexes: try hasFullTextIndexes(specs, of: id, in: connection))
    }

    /// The table of the soup of exactly this name, as the list of soups has it.
    static func location(ofSoup name: String, in connection: Connection) throws(Fault) -> SoupLocation? {
        guard let table = try attributesTable(connection) else { return nil }
        // Stores of Mobile SDK 11 and later lack the column; `*` reads both forms.
        let attributes = try connection.statement("SELECT * FROM \(table) WHERE soupName = ?")
        defer { attributes.reset() }
        try attributes.bind(.text(name), at: 1)
        guard try attributes.step() else { return nil }
        return SoupLocation(
            table: SoupTableName(attributes.integer(at: 0)),
            storesExternally: attributes.columnCount > 2 && attributes.integer(at: 2) == 1)
    }

    /// The table that lists the soups: it has its old name in a store of Mobile SDK before 4.3 that is opened for
    /// reading only. Nil in a new file.
    private static func attributesTable(_ connection: Connection) throws(Fault) -> String? {
        let names = try MetaTables.names(connection)
        return names.contains("soup_attrs") ? "soup_attrs" : names.contains("soup_names") ? "soup_names" : nil
    }

    /// All names, in order of registration, including soups with an unfinished alteration.
    static func names(in connection: Connection) throws(Fault) -> [String] {
        guard let table = try attributesTable(connection) else {
            return []
        }
        let statement = try connection.statement("SELECT soupName FROM \(table) ORDER BY id")
        defer { statement.reset() }
        return try statement.texts()
    }

    /// The numbers of all soups' tables.
    static func tables(_ connection: Connection) throws(Fault) -> [Int64] {
        guard let table = try attributesTable(connection) else {
            return []
        }
        let statement = try connection.statement("SELECT id FROM \(table) ORDER BY id")
        defer { statement.reset() }
        return try statement.integers()
    }

    /// The numbers of the tables whose entries are in files of their own.
    static func externalTables(_ connection: Connection) throws(Fault) -> [Int64] {
        guard try MetaTables.names(connection).contains("soup_attrs"), try MetaTables.hasExternalColumn(connection)
        else {
            return []
        }
        let statement = try connection.statement("SELECT id FROM soup_attrs WHERE externalStorage = 1 ORDER BY id")
        defer { statement.reset() }
        return try statement.integers()
    }

    private static func indexSpecs(of name: String, in connection: Connection) throws(Fault) -> [IndexSpec] {
        let statement = try connection.statement(
            "SELECT path, columnName, columnType FROM soup_index_map WHERE soupName = ? ORDER BY rowid")
        defer { statement.reset() }
        try statement.bind(.text(name), at: 1)
        var specs: [IndexSpec] = []
        while try statement.step() {
            let path = statement.text(at: 0)
            guard let type = IndexType(rawValue: statement.text(at: 2)) else {
                throw Fault(
                    .corrupt, "unknown type in the index map", context: [.soup(name), .path(path)])
            }
            let column = statement.text(at: 1)
            // The text becomes part of statements: in a file from elsewhere it may be anything.
            guard isColumn(column, of: type, path) else {
                throw Fault(
                    .corrupt, "invalid column name in the index map", context: [.soup(name), .path(path)])
            }
            specs.append(IndexSpec(path: path, type: type, columnName: column))
        }
        return specs
    }

    /// Whether the column is `TABLE_n_i`, or for json1 the expression over exactly this path, as this library or Mobile
    /// SDK writes it.
    private static func isColumn(_ column: String, of type: IndexType, _ path: String) -> Bool {
        if !type.hasColumn {
            if ByteKey(column) == ByteKey(JSONExtract.expression(path)) {
                return true
            }
            return !path.utf8.contains(UInt8(ascii: "'"))
                && ByteKey(column) == ByteKey("json_extract(soup, '$.\(path)')")
        }
        let parts = column.split(separator: "_", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "TABLE"
            && parts[1...].allSatisfy { !$0.isEmpty && $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
    }

    /// Whether each full-text column has an ordinary index. The schema itself says so: Mobile SDK, which reads the
    /// index map only and never names an index in a query, works on a soup without them as on any other.
    private static func hasFullTextIndexes(
        _ specs: [IndexSpec], of id: Int64, in connection: Connection
    ) throws(Fault) -> Bool {
        for (index, spec) in specs.enumerated() where spec.type == .fullText {
            let column = spec.columnName ?? SoupTableName(id).column(index)
            let found = try connection.integer(
                "SELECT count(*) FROM sqlite_master WHERE type = 'index' AND name = ?",
                .text("\(column)_idx"))
            if found == 0 {
                return false
            }
        }
        return true
    }

    /// The module that created the soup's full-text table, read from the table's SQL.
    static func fullTextVersion(of id: Int64, in connection: Connection) throws(Fault) -> FullTextVersion? {
        let statement = try connection.statement("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?")
        defer { statement.reset() }
        try statement.bind(.text(SoupTableName(id).fullText), at: 1)
        guard try statement.step() else { return nil }
        let words = statement.text(at: 0).lowercased()
        return FullTextVersion.allCases.first { words.contains("using \($0.rawValue)") }
    }
}
