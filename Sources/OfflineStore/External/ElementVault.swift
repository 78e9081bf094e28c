import SQLiteAccess
import Soups

/// Remembers, in the store's own database, in which folder the files of external entries are and with which key they
/// were written.
///
/// A table beside those of Mobile SDK, with one row, made when the first soup with external storage is registered.
/// Where the store is keyed the row is as well protected as every other.
enum ElementVault {
    /// The files of this store; where there is no row yet, those of a store without a key, directly in the root folder.
    static func open(_ connection: Connection) throws(Fault) -> ElementFiles {
        let root = ElementFiles.root(ofStore: connection.path)
        guard try exists(connection) else {
            return ElementFiles(root: root, key: nil, library: connection.library)
        }
        let statement = try connection.statement("SELECT directory, elementKey FROM external_storage")
        defer { statement.reset() }
        guard try statement.step() else {
            throw Fault(.corrupt, "the place of external entries is not recorded")
        }
        let directory = statement.text(at: 0)
        // A name of ours has no separator: a row changed by somebody else must not lead out of the folder.
        guard !directory.utf8.contains(UInt8(ascii: "/")), directory != ".." else {
            throw Fault(.corrupt, "the place of external entries is damaged")
        }
        let key = statement.isNull(at: 1) ? nil : try Key(raw: statement.bytes(at: 1))
        return ElementFiles(
            root: directory.isEmpty ? root : "\(root)/\(directory)", key: key, library: connection.library)
    }

    /// Makes the row where there is none: with a fresh random key where the store itself has one.
    static func establish(_ connection: Connection, keyed: Bool, directory: String = "") throws(Fault) {
        if try exists(connection) {
            return
        }
        try connection.execute("CREATE TABLE external_storage (directory TEXT, elementKey BLOB)")
        try connection.run(
            "INSERT INTO external_storage VALUES (?, ?)", .text(directory), keyed ? .blob(randomKey()) : .null)
    }

    /// Points the store to another folder, with another key. Committed by the caller.
    static func replace(_ connection: Connection, directory: String, key: [UInt8]?) throws(Fault) {
        try connection.run(
            "UPDATE external_storage SET directory = ?, elementKey = ?", .text(directory),
            key.map(SQLValue.blob) ?? .null)
    }

    static func exists(_ connection: Connection) throws(Fault) -> Bool {
        try connection.integer("SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name = 'external_storage'")
            == 1
    }

    static func randomKey() -> [UInt8] {
        var generator = SystemRandomNumberGenerator()
        return (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    }
}
