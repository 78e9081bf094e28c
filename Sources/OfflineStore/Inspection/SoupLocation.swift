import SQLiteAccess
import Soups

/// Where the entries of a soup are, read from as little of the catalogue as possible: what else it says may be damaged.
struct SoupLocation {
    let table: SoupTableName
    /// The table that has the rows: the old one during an alteration.
    let tableName: String
    /// Whether the entries are in files of their own.
    let storesExternally: Bool

    /// Finds a soup in the list of soups, else in the list of indexes, else by the name of its table. Where its entries
    /// are is what the columns of the table say.
    ///
    /// - Throws: `soupNotFound`; `corrupt` if a list that may have the soup is damaged.
    init(ofSoup name: String, _ connection: Connection) throws(Fault) {
        var isDamaged = false
        /// What a list says; nil if it does not have the soup, or cannot be read.
        func look(_ work: () throws(Fault) -> SoupLocation?) throws(Fault) -> SoupLocation? {
            do throws(Fault) {
                return try work()
            } catch {
                guard Salvage.isDamage(error) else {
                    throw error
                }
                isDamaged = true
                return nil
            }
        }
        let lists = try MetaTables.names(connection)
        isDamaged = !lists.isSuperset(of: ["soup_attrs", "soup_index_map"])
        let listed = try look { () throws(Fault) in try SoupReading.location(ofSoup: name, in: connection) }
        var tables = [listed?.table]
        if listed == nil, lists.contains("soup_index_map") {
            _ = try look { () throws(Fault) in
                tables.append(try Self.table(ofIndexes: name, connection))
                return nil
            }
        }
        if listed == nil {
            tables.append(SoupTableName(name))
        }
        for table in tables.compactMap(\.self) {
            if let found = try look({ () throws(Fault) in try SoupLocation(of: table, connection) }) {
                self = found
                return
            }
        }
        if let listed {
            self = listed
        } else if isDamaged {
            throw Fault(
                .corrupt, "the list of soups is damaged: give the name of a table in place of the soup, such as TABLE_1"
            )
        } else {
            throw SoupRules.missing(name)
        }
    }

    init(table: SoupTableName, named name: String? = nil, storesExternally: Bool) {
        self.table = table
        tableName = name ?? table.description
        self.storesExternally = storesExternally
    }

    /// The table that the columns of a soup's indexes name.
    private static func table(ofIndexes name: String, _ connection: Connection) throws(Fault) -> SoupTableName? {
        let rows = try connection.prepare("SELECT columnName FROM soup_index_map WHERE soupName = ?")
        try rows.bind(.text(name), at: 1)
        while try rows.step() {
            // Those of json1 are expressions, which name no table.
            let column = rows.text(at: 0)
            if let end = column.lastIndex(of: "_"), let table = SoupTableName(column[..<end]) {
                return table
            }
        }
        return nil
    }

    /// A table as its columns show it: the old one if an alteration has renamed it, else the soup's own. Nil without
    /// both.
    private init?(of table: SoupTableName, _ connection: Connection) throws(Fault) {
        for name in [table.old, table.description] {
            let rows = try connection.prepare("SELECT name FROM pragma_table_info('\(name)')")
            var columns: Set<String> = []
            while try rows.step() {
                columns.insert(rows.text(at: 0))
            }
            if columns.isSuperset(of: ["id", "lastModified"]) {
                self.init(table: table, named: name, storesExternally: !columns.contains("soup"))
                return
            }
        }
        return nil
    }
}
