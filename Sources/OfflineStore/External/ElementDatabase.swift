import Platform
import SQLiteAccess
import Soups

/// Keeps one text in an encrypted database of its own, which is how a keyed store keeps an external entry.
enum ElementDatabase {
    /// Written under a temporary name without a journal: until it has its final name it may be lost.
    static func write(_ text: [UInt8], to path: String, key: Key, library: SQLiteLibrary) throws(Fault) {
        let temporary = path + ".tmp"
        Folder.removeTree(temporary)
        do throws(Fault) {
            let connection = try Connection(
                path: temporary, library: library, access: .create, key: key, settings: settings)
            defer { connection.close() }
            try connection.transaction { () throws(Fault) in
                try connection.execute("CREATE TABLE element (text TEXT)")
                try connection.run("INSERT INTO element VALUES (?)", .text(text))
            }
        } catch {
            Folder.removeTree(temporary)
            throw error
        }
        try Fault.translating(File.rename(temporary, to: path))
    }

    /// Nil if there is no such file, also if it is removed while it is being opened.
    static func read(_ path: String, key: Key, library: SQLiteLibrary) throws(Fault) -> [UInt8]? {
        do throws(Fault) {
            let connection = try Connection(
                path: path, library: library, access: .readOnly, key: key, settings: settings)
            defer { connection.close() }
            guard case .text(let text)? = try connection.value("SELECT text FROM element") else {
                throw damaged(nil)
            }
            return text
        } catch {
            guard File.exists(path) else { return nil }
            throw isDamage(error.code) ? damaged(error) : error
        }
    }

    /// The key is the store's own, so such a code means that this file is not what was written.
    private static func isDamage(_ code: Fault.Code) -> Bool {
        [.wrongKey, .notADatabase, .notEncrypted, .keyMissing, .corrupt, .sqlError].contains(code)
    }

    private static func damaged(_ cause: Fault?) -> Fault {
        Fault(.corrupt, "the file of an entry is damaged", context: cause?.context ?? [])
    }

    private static let settings = ConnectionSettings(journalMode: .delete, cacheSize: 1 << 20)
}
