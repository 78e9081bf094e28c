import SQLiteAccess
import Soups

/// Compares the list of soups, the list of their indexes and the tables with each other.
struct CatalogueCheck {
    let connection: Connection
    /// The soups that are listed.
    let soups: [String]
    /// The soups of unfinished alterations, whose rows and tables are under way from one state to another.
    let unfinished: Set<ByteKey>

    func run(adding report: inout IntegrityReport) throws(Fault) {
        let lists = try MetaTables.names(connection)
        let tables = try soupTables()
        let hasSoups = lists.contains("soup_attrs") || lists.contains("soup_names")
        let hasIndexes = lists.contains("soup_index_map")
        let indexed = hasIndexes ? try indexedSoups() : []
        // A file without any soup may lack both: opening it for writing makes them.
        guard hasSoups else {
            if !tables.isEmpty || !indexed.isEmpty {
                report.add(.catalogueMissing, detail: "soup_attrs")
            }
            return
        }
        if !hasIndexes, !soups.isEmpty {
            report.add(.catalogueMissing, detail: "soup_index_map")
        }
        let known = Set(soups.map { ByteKey($0) }).union(unfinished)
        for name in indexed where !known.contains(ByteKey(name)) {
            report.add(.catalogueOutOfStep, soup: name, detail: "indexes without a soup")
        }
        guard unfinished.isEmpty, try !LongOperation.isUnderway(connection) else { return }
        let listed = Set(try SoupReading.tables(connection))
        for table in tables where !listed.contains(table.id) {
            report.add(.catalogueOutOfStep, detail: "\(table) without a soup")
        }
    }

    /// The tables that have the name of a soup's table, in the order of their numbers.
    private func soupTables() throws(Fault) -> [SoupTableName] {
        let rows = try connection.prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
        var tables: [SoupTableName] = []
        while try rows.step() {
            if let table = SoupTableName(exactly: rows.text(at: 0)) {
                tables.append(table)
            }
        }
        return tables.sorted { $0.id < $1.id }
    }

    /// The names that have indexes.
    private func indexedSoups() throws(Fault) -> [String] {
        let rows = try connection.prepare(
            "SELECT DISTINCT soupName FROM soup_index_map WHERE soupName IS NOT NULL ORDER BY soupName")
        return try rows.texts()
    }
}
