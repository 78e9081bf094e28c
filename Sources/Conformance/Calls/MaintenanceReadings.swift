import JSONText
import OfflineStore
import Soups
import Synchronization

/// Compares what the calls that look after a store say with what its file says.
enum MaintenanceReadings {
    /// Migrates, and requires that no more entries were reported than there are.
    static func migrate(_ store: SmartStore, _ migrations: [StoreMigration]) throws -> [String] {
        let reports = Mutex<[MigrationProgress]>([])
        let done = try store.migrateNow(migrations) { report in reports.withLock { $0.append(report) } }
        for report in reports.withLock({ $0 }) where try report.entries > store.count(.all(), soup: report.soup) {
            throw EntryReadings.disagreement("as progress")
        }
        return done
    }

    /// Requires that the file says of itself what the reader says of it.
    static func requireSettings(of reader: borrowing StoreReader, isEncrypted: Bool) throws(Fault) {
        let settings = try reader.settings()
        let version = String(try reader.schemaVersion())
        guard settings.contains(where: { $0 == ("user_version", version) }),
            settings.contains(where: { $0.name == "cipher_version" }) == isEncrypted
        else {
            throw EntryReadings.disagreement("as settings")
        }
    }

    /// Requires that a statement over the table of a soup counts as many entries.
    static func requireCount(
        _ count: Int, of soup: RegisteredSoup, _ reader: borrowing StoreReader
    ) throws(Fault) {
        var (names, rows): ([String], [[StoreCell]]) = ([], [])
        let text = "SELECT count(*) AS n FROM \(soup.tableName), json_each(?)"
        try reader.forEachRow(text, arguments: ["[0]"], isRaw: true, columns: { names = $0 }) { row in
            rows.append(row)
            return true
        }
        guard names == ["n"], rows == [[.value(.integer(Int64(count)))]] else {
            throw EntryReadings.disagreement("from the table")
        }
    }
}
