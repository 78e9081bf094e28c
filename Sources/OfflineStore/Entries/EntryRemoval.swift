import SQLiteAccess
import Soups

/// Removes entries by id, with their full-text rows and files. The ids are collected before anything is removed
/// (BUG-01).
struct EntryRemoval {
    let soup: RegisteredSoup
    let session: StoreSession

    /// Returns how many entries were removed.
    ///
    /// Removes in the order of ids, which is the order of the table and of the full text on the disk. A query gives ids
    /// in the order of its index.
    func remove(_ ids: consuming [Int64]) throws(Fault) -> Int {
        ids.sort()
        let connection = session.connection
        let removeEntry = try connection.statement("DELETE FROM \(soup.tableName) WHERE id = ?")
        let removeText =
            soup.fullTextVersion == nil
            ? nil : try connection.statement("DELETE FROM \(soup.fullTextTableName) WHERE rowid = ?")
        var count = 0
        for id in ids {
            if soup.storesExternally {
                try removeElement(id)
            }
            try removeEntry.bind(integer: id, at: 1)
            try removeEntry.run()
            if connection.changes > 0 {
                count += 1
                session.changes.note(.removed, of: id, in: soup)
            }
            if let removeText {
                try removeText.bind(integer: id, at: 1)
                try removeText.run()
            }
        }
        return count
    }

    private func removeElement(_ id: Int64) throws(Fault) {
        guard
            let version = try session.connection.integer(
                "SELECT lastModified FROM \(soup.tableName) WHERE id = ?", .integer(id))
        else {
            return
        }
        try session.removeElementAfterCommit(ElementVersion(table: soup.id, id: id, version: version))
    }
}
