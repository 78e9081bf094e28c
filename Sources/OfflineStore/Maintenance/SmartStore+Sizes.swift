import Platform
import SQLiteAccess
package import Soups

extension SmartStore {
    /// Finds out what takes the bytes of the store. Reads every page, or every entry where the library cannot count
    /// pages.
    ///
    /// - Throws: `closed`, `busy`, `corrupt`, `inputOutput`; also `CancellationError`.
    public func sizes() async throws -> SizeReport {
        try await connections.perform(.reading) { try self.sizesNow() }
    }

    /// Finds out the sizes on the calling thread, which waits.
    package func sizesNow() throws(Fault) -> SizeReport {
        try reading { (session) throws(Fault) in
            let connection = session.connection
            let pages = connection.pageBytes()
            var soups: [SizeReport.Soup] = []
            for name in try SoupReading.names(in: connection) {
                guard let soup = try session.soup(named: name, whileAltering: true) else { continue }
                try session.requireTable(of: soup)
                soups.append(try session.size(of: soup, pages))
            }
            let pageSize = try connection.number("PRAGMA page_size")
            return SizeReport(
                soups: soups, file: File.size(path),
                free: try connection.number("PRAGMA freelist_count") * pageSize,
                log: File.size(path + "-wal"), isEstimated: pages == nil)
        }
    }
}

extension Connection {
    /// The bytes of each table and index; nil if the library cannot tell. Reads every page.
    func pageBytes() -> [String: Int64]? {
        guard let rows = try? prepare("SELECT name, sum(pgsize) FROM dbstat GROUP BY name") else {
            return nil
        }
        var bytes: [String: Int64] = [:]
        do throws(Fault) {
            while try rows.step() {
                bytes[rows.text(at: 0)] = rows.integer(at: 1)
            }
        } catch {
            return nil
        }
        return bytes
    }
}

extension StoreSession {
    /// Requires the rows of a soup in the table of its own name.
    ///
    /// - Throws: `busy` where an alteration has renamed the table and has not copied the rows; `corrupt` without a
    ///   table.
    func requireTable(of soup: RegisteredSoup) throws(Fault) {
        guard try !LongOperation.keepsRows(of: soup, connection) else {
            throw blockedByAlteration(soup.name)
        }
        guard try connection.hasTableOrView(soup.tableName) else {
            throw SoupRules.withoutTable(soup.name)
        }
    }

    /// What a soup takes, by the bytes of all tables and indexes; estimated from its texts without them.
    func size(of soup: RegisteredSoup, _ pages: [String: Int64]?) throws(Fault) -> SizeReport.Soup {
        let entries = Int(try connection.number("SELECT count(*) FROM \(soup.tableName)"))
        let files = soup.storesExternally ? Folder.size(below: try elements().folder(ofTable: soup.id)).bytes : 0
        guard let pages else {
            let columns = soup.indexSpecs.filter(\.type.hasColumn).compactMap(\.columnName)
            let texts = columns.map { "ifnull(length(CAST(\($0) AS BLOB)), 0) + 8" }
            let column = texts.isEmpty ? "0" : texts.joined(separator: " + ")
            let text = soup.storesExternally ? "0" : "length(CAST(soup AS BLOB))"
            let table = try connection.number("SELECT sum(\(text) + 32 + \(column)) FROM \(soup.tableName)")
            let index = try connection.number("SELECT sum(\(column)) FROM \(soup.tableName)")
            return SizeReport.Soup(
                name: soup.name, entries: entries, table: table, indexes: index,
                fullText: soup.fullTextVersion == nil ? 0 : index, files: files)
        }
        let indexes = try names(of: "type = 'index' AND tbl_name = ?", soup.tableName)
        let fullText = pages.keys.filter { $0 == soup.fullTextTableName || $0.hasPrefix(soup.fullTextTableName + "_") }
        return SizeReport.Soup(
            name: soup.name, entries: entries, table: Self.bytes(of: [soup.tableName], pages),
            indexes: Self.bytes(of: indexes, pages), fullText: Self.bytes(of: fullText, pages), files: files)
    }

    /// The sum of the bytes of these tables or indexes.
    private static func bytes(of names: [String], _ pages: [String: Int64]) -> Int64 {
        names.compactMap { pages[$0] }.reduce(0, +)
    }

    private func names(of condition: String, _ value: String) throws(Fault) -> [String] {
        let rows = try connection.prepare("SELECT name FROM sqlite_master WHERE \(condition)")
        try rows.bind(text: value, at: 1)
        return try rows.texts()
    }
}
