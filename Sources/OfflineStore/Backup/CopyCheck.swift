import SQLiteAccess
import Soups

/// Reads a copy of a store from end to end.
enum CopyCheck {
    /// Checks the structure of the database, and the authentication of each page of an encrypted one.
    ///
    /// - Throws: `corrupt`.
    static func requireSound(_ connection: Connection, isKeyed: Bool) throws(Fault) {
        guard try connection.value("PRAGMA integrity_check") == .text("ok") else {
            throw damaged
        }
        if isKeyed, try authenticatesPages(connection),
            try connection.value("PRAGMA cipher_integrity_check") != nil
        {
            throw damaged
        }
    }

    /// Whether the pages of an encrypted file are authenticated: those of SQLCipher 1 are not, and checking them says
    /// no more than that.
    static func authenticatesPages(_ connection: Connection) throws(Fault) -> Bool {
        let answer = try connection.value("PRAGMA cipher_use_hmac")
        return answer != .text("0") && answer != .integer(0)
    }

    /// Counts and digests the entries of each soup; every file of an external entry is read. Soups that are being
    /// altered are left out.
    static func soups(of connection: Connection) throws(Fault) -> [BackupSummary.Soup] {
        let files = try ElementVault.open(connection)
        var soups: [BackupSummary.Soup] = []
        for name in try SoupReading.names(in: connection) {
            try connection.checkCall()
            // The entries of a soup that is being altered are in a table of another name until they are copied.
            guard let soup = try SoupReading.soup(named: name, in: connection), connection.hasTable(soup.tableName),
                try !LongOperation.keepsRows(of: soup, connection)
            else {
                continue
            }
            let column = soup.storesExternally ? "lastModified" : "soup"
            let rows = try connection.prepare("SELECT id, \(column) FROM \(soup.tableName) ORDER BY id")
            var digest = SHA256()
            var count = 0
            while try rows.step() {
                if soup.storesExternally {
                    let element = ElementVersion(table: soup.id, id: rows.integer(at: 0), version: rows.integer(at: 1))
                    digest.update(try files.readExisting(element))
                } else {
                    digest.update(rows.lentBytes(at: 1))
                }
                digest.update([UInt8(ascii: "\n")])
                count += 1
            }
            soups.append(BackupSummary.Soup(name: name, entries: count, digest: digest.hexDigest()))
        }
        return soups
    }

    private static let damaged = Fault(.corrupt, "the copy is damaged: check the disk, and copy again")
}
