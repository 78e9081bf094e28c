import SQLiteAccess
import Soups

/// Where the entries of a soup are, read from as little of the catalogue as possible: what else it says may be damaged.
struct SoupPlace {
    let table: SoupTableName
    /// The table that has the rows: the old one during an alteration.
    let tableName: String
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
        let found: SoupPlace
        if let listed = try look({ () throws(Fault) in try SoupReading.place(ofSoup: name, in: connection) }) {
            found = listed
        } else if lists.contains("soup_index_map"),
            let indexed = try look({ () throws(Fault) in try Self.byIndexes(name, connection) })
        {
            found = indexed
        } else if let table = SoupTableName(name),
            let named = try look({ () throws(Fault) in try Self.byName(table, connection) })
        {
            found = named
        } else if isDamaged {
            throw Fault(
                .corrupt, "the list of soups is damaged: give the name of a table in place of the soup, such as TABLE_1"
            )
        } else {
            throw SoupRules.missing(name)
        }
        let old = try look { () throws(Fault) in
            try Self.place(of: found.table, named: found.table.old, connection)
        }
        self = old ?? found
    }

    init(table: SoupTableName, named name: String? = nil, storesExternally: Bool) {
        self.table = table
        tableName = name ?? table.description
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

    /// The table of a number, under the name that it has or had.
    private static func byName(_ table: SoupTableName, _ connection: Connection) throws(Fault) -> SoupPlace? {
        if let place = try place(of: table, connection) {
            return place
        }
        return try place(of: table, named: table.old, connection)
    }

    /// A table as its columns show it; nil if there is none of that name.
    static func place(
        of table: SoupTableName, named name: String? = nil, _ connection: Connection
    ) throws(Fault) -> SoupPlace? {
        let rows = try connection.prepare("SELECT name FROM pragma_table_info('\(name ?? table.description)')")
        var columns: Set<String> = []
        while try rows.step() {
            columns.insert(rows.text(at: 0))
        }
        guard columns.isSuperset(of: ["id", "lastModified"]) else { return nil }
        return SoupPlace(table: table, named: name, storesExternally: !columns.contains("soup"))
    }
}
