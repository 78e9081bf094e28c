import SQLiteAccess
import Soups

/// The tables whose entries are in files of their own, as their columns show it: a table without the column `soup`.
///
/// The list of soups says so too, but it may be damaged, and no file may be lost with it.
struct ElementTables {
    /// The numbers of the tables.
    let numbers: Set<Int64>
    /// The numbers that the list of soups has.
    let listed: Set<Int64>

    init(_ connection: Connection) throws(Fault) {
        numbers = Set(try Self.names(connection).compactMap { SoupTableName(exactly: $0)?.id })
        listed = Set(try SoupReading.externalTables(connection))
    }

    /// Whether the folder of a table has to stay.
    func needsFolder(_ table: Int64) -> Bool { numbers.contains(table) || listed.contains(table) }

    /// The text of an entry. Nil if its file is missing and the soup is not listed: then there is nothing to lose.
    ///
    /// - Throws: `corrupt` if the file of a soup that is listed is missing.
    func text(at element: ElementVersion, in files: ElementFiles) throws(Fault) -> [UInt8]? {
        listed.contains(element.table) ? try files.readExisting(element) : try files.read(element)
    }

    /// Whether such a table has the name that an alteration gives it until its entries are copied.
    static func hasOldTable(_ connection: Connection) throws(Fault) -> Bool {
        try names(connection).contains { $0.hasSuffix("_old") }
    }

    private static func names(_ connection: Connection) throws(Fault) -> [String] {
        let rows = try connection.prepare(
            """
            SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'TABLE_[0-9]*' \
            AND (SELECT count(*) FROM pragma_table_info(sqlite_master.name) WHERE name IN ('id', 'lastModified')) = 2 \
            AND NOT EXISTS (SELECT 1 FROM pragma_table_info(sqlite_master.name) WHERE name = 'soup')
            """)
        return try rows.texts()
    }
}
