import SQLiteAccess
import Soups

/// Keeps one text in an encrypted database of its own: the form of an external entry in a keyed store.
enum ElementDatabase {
    /// Made under a temporary name without a journal: until it has its final name nobody needs it.
    static func write(_ text: [UInt8], to path: String, key: Key, library: SQLiteLibrary) throws(Fault) {
        let temporary = path + ".tmp"
        FileSystem.removeTree(temporary)
        do throws(Fault) {
            let connection = try Connection(
                path: temporary, library: library, access: .create, key: key, settings: settings)
            defer { connection.close() }
            try connection.transaction { () throws(Fault) in
                try connection.execute("CREATE TABLE element (text TEXT)")
                try connection.run("INSERT INTO element VALUES (?)", .text(text))
            }
        } catch {
            FileSystem.removeTree(temporary)
            throw error
        }
        try FileSystem.rename(temporary, to: path)
    }

    static func read(_ path: String, key: Key, library: SQLiteLibrary) throws(Fault) -> [UInt8] {
        let connection: Connection
        do throws(Fault) {
            connection = try Connection(path: path, library: library, access: .readOnly, key: key, settings: settings)
        } catch {
            // The key is the store's own affair: what a caller needs to know is that this file is damaged.
            throw error.code == .wrongKey || error.code == .notADatabase || error.code == .notEncrypted
                ? Fault(.corrupt, "the file of an entry is damaged", context: error.context) : error
        }
        defer { connection.close() }
        guard case .text(let text)? = try connection.value("SELECT text FROM element") else {
            throw Fault(.corrupt, "the file of an entry is damaged")
        }
        return text
    }

    private static let settings = ConnectionSettings(journalMode: .delete, cacheSize: 1 << 20)
}
