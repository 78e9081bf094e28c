import SQLiteAccess
import Soups

/// Where the entries of a soup are, read from as little of the catalogue as possible: what else it says may be damaged.
struct SoupPlace {
    let table: SoupTableName
    /// Whether the entries are in files of their own.
    let storesExternally: Bool

    /// Finds a soup in the list of soups, else in the list of indexes, else by the name of its table.
    ///
    /// - Throws: `soupNotFound`; `corrupt` if a list that may have the soup is damaged.
    init(ofSoup name: String, _ connection: Connection) throws(Fault) {
        var isDamaged = false
        /// What a list says; nil if it does not have the soup, or cannot be read.
        func look(_ work: () throws(Fault) -> SoupPlace?) throws(Fault) -> SoupPlace? {
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
        if let found = try look({ () throws(Fault) in try SoupReading.place(ofSoup: name, in: connection) }) {
            self = found
        } else if lists.contains("soup_index_map"),
            let found = try look({ () throws(Fault) in try Self.byIndexes(name, connection) })
        {
            self = found
        } else if let table = SoupTableName(name),
            let found = try look({ () throws(Fault) in
                try Self.place(of: table, connection)
            })
        {
            self = found
        } else if isDamaged {
            throw Fault(
                .corrupt, "the list of soups is damaged: give the name of a table in place of the soup, such as TABLE_1"
            )
        } else {
            throw SoupRules.missing(name)
        }
    }

    init(table: SoupTableName, storesExternally: Bool) {
        self.table = table
        self.storesExternally = storesExternally
    }

    /// The table that the columns of a soup's indexes name.
    private static func byIndexes(_ name: String, _ connection: Connection) throws(Fault) -> SoupPlace? {
        let rows = try connection.prepare("SELECT columnName FROM soup_index_map WHERE soupName = ?")
        try rows.bind(.text(name), at: 1)
        while try rows.step() {
            // Those of json1 are expressions, which name no table.
            let column = rows.text(at: 0)
            if let end = column.lastIndex(of: "_"), let table = SoupTableName(column[..<end]) {
                return try place(of: table, connection)
            }
        }
        return nil
    }

    /// A table as its columns show it; nil if there is none of that name.
    private static func place(of table: SoupTableName, _ connection: Connection) throws(Fault) -> SoupPlace? {
        let rows = try connection.prepare("SELECT name FROM pragma_table_info('\(table)')")
        var columns: Set<String> = []
        while try rows.step() {
            columns.insert(rows.text(at: 0))
        }
        guard columns.isSuperset(of: ["id", "lastModified"]) else { return nil }
        return SoupPlace(table: table, storesExternally: !columns.contains("soup"))
    }
}
