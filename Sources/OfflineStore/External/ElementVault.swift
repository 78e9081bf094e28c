import SQLiteAccess
import Soups

/// Remembers, in the store's own database, in which folder the files of external entries are and with which key they
/// were written.
///
/// It is a table with one row, in addition to those of Mobile SDK, created when the first soup with external storage is
/// registered. In a keyed store the row is as well protected as every other.
enum ElementVault {
    /// The files of this store. Without a row these are the files of a store without a key, directly in the root
    /// folder.
    static func open(_ connection: Connection) throws(Fault) -> ElementFiles {
        let root = ElementFiles.root(ofStore: connection.path)
        guard try exists(connection) else {
            return ElementFiles(root: root, key: nil, library: connection.library)
        }
        let statement = try connection.statement("SELECT directory, elementKey FROM external_storage")
        defer { statement.reset() }
        guard try statement.step() else {
            throw Fault(.corrupt, "the folder of external entries is not recorded")
        }
        let directory = statement.text(at: 0)
        // Names that this library gives have no separator: a row that was changed by another program must not lead out
        // of the folder.
        guard !directory.utf8.contains(UInt8(ascii: "/")), directory != ".." else {
            throw Fault(.corrupt, "the record of the folder of external entries is damaged")
        }
        let key = statement.isNull(at: 1) ? nil : try Key(lentBytes: statement.lentBytes(at: 1))
        return ElementFiles(
            root: directory.isEmpty ? root : "\(root)/\(directory)", key: key, library: connection.library)
    }

    /// Creates the row if there is none, with a new random key if the store itself has one.
    static func establish(_ connection: Connection, keyed: Bool, directory: String = "") throws(Fault) {
        if try exists(connection) {
            return
        }
        try connection.execute("CREATE TABLE external_storage (directory TEXT, elementKey BLOB)")
        try write("INSERT INTO external_storage VALUES (?, ?)", connection, directory, keyed ? .random() : nil)
    }

    /// Sets another folder, with another key. The caller commits.
    static func replace(_ connection: Connection, directory: String, key: Key?) throws(Fault) {
        try write("UPDATE external_storage SET directory = ?, elementKey = ?", connection, directory, key)
    }

    /// Lends the key to SQLite while the statement runs: SQLite would free a copy of its own without overwriting it.
    private static func write(_ sql: String, _ connection: Connection, _ directory: String, _ key: Key?) throws(Fault) {
        let statement = try connection.prepare(sql)
        try statement.bind(text: directory, at: 1)
        guard let key else {
            try statement.bindNull(at: 2)
            return try statement.run()
        }
        try key.withRawBytes { (bytes) throws(Fault) in
            defer { statement.clear() }
            try statement.bind(borrowedBlob: bytes, at: 2)
            try statement.run()
        }
    }

    static func exists(_ connection: Connection) throws(Fault) -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'external_storage'")
            == 1
    }
}
