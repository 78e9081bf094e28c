import SQLiteAccess
import Soups

extension LongOperation {
    /// Whether the soup and the tables are those that the operation left after its last step.
    ///
    /// Each step and its status row are one transaction, so a row that does not fit was damaged or written by something
    /// else. Going on, or undoing, would destroy a soup that is sound.
    func fitsTables(_ connection: Connection) throws(Fault) -> Bool {
        let table = details.table
        let isRenamed = status.isAtLeast(.renameOldSoupTable)
        let hasNewTable = !isRenamed || status.isAtLeast(.registerSoupUsingTableName)
        let isSoup = try connection.integer(
            "SELECT count(*) FROM soup_attrs WHERE id = ? AND soupName = ?", .integer(table.id),
            .text(details.soupName))
        if !status.isAtLeast(.dropOldIndexes), try !hasOldSpecs(connection) {
            return false
        }
        guard isSoup == 1, status != .dropOldTable, !details.newIndexSpecs.isEmpty,
            try Self.isTable(table.description, connection) == hasNewTable,
            try Self.isTable(table.old, connection) == isRenamed
        else {
            return false
        }
        let old = isRenamed ? (table.old, table.oldFullText) : (table.description, table.fullText)
        let columns = try Self.columns(ofTable: old.0, connection)
        let expected = SoupTable(
            id: table.id, indexSpecs: details.oldIndexSpecs, storesExternally: details.wasExternal
        ).columnSpecs.compactMap(\.columnName)
        guard columns.contains("soup") != details.wasExternal, columns.isSuperset(of: expected) else {
            return false
        }
        return try Self.isTable(old.1, connection) == details.hadFullText
    }

    /// Whether the index map has the old specs with their columns, in their order. It has them until the indexes are
    /// dropped.
    private func hasOldSpecs(_ connection: Connection) throws(Fault) -> Bool {
        let statement = try connection.statement(
            "SELECT path, columnType, columnName FROM soup_index_map WHERE soupName = ? ORDER BY rowid")
        defer { statement.reset() }
        try statement.bind(.text(details.soupName), at: 1)
        for spec in details.oldIndexSpecs {
            guard try statement.step(), ByteKey(statement.text(at: 0)) == ByteKey(spec.path),
                statement.text(at: 1) == spec.type.rawValue,
                !spec.type.hasColumn || statement.text(at: 2) == spec.columnName
            else {
                return false
            }
        }
        return try !statement.step()
    }

    /// The soups whose table has the name that an alteration gives it until its entries are copied.
    static func renamedSoups(_ connection: Connection) throws(Fault) -> [String] {
        guard try MetaTables.names(connection).contains("soup_attrs") else {
            return []
        }
        let statement = try connection.statement(
            """
            SELECT soupName FROM soup_attrs \
            WHERE 'TABLE_' || id || '_old' IN (SELECT name FROM sqlite_master WHERE type = 'table')
            """)
        defer { statement.reset() }
        return try statement.texts()
    }

    private static func isTable(_ name: String, _ connection: Connection) throws(Fault) -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = ?", .text(name)) == 1
    }

    /// The names of the columns; those of soups are ASCII, so `String` compares them exactly.
    private static func columns(ofTable name: String, _ connection: Connection) throws(Fault) -> Set<String> {
        let statement = try connection.statement("SELECT name FROM pragma_table_info(?)")
        defer { statement.reset() }
        try statement.bind(.text(name), at: 1)
        var columns: Set<String> = []
        while try statement.step() {
            columns.insert(statement.text(at: 0))
        }
        return columns
    }
}
