import SQLiteAccess
import Soups
import TestSupport
import Testing

@Suite(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is missing: run ci/setup")) struct EncryptionTests
{
    private let schema = """
        CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a); CREATE INDEX i ON t (a); CREATE VIRTUAL TABLE f USING fts5(x);
        INSERT INTO t (a) VALUES ('one'), ('two'), ('three'); DELETE FROM t WHERE id = 3; INSERT INTO f VALUES ('red lantern'); PRAGMA user_version = 3
        """

    private func expectWhole(_ connection: Connection, sourceLocation: SourceLocation = #_sourceLocation) throws {
        #expect(try connection.integer("SELECT count(*) FROM t") == 2, sourceLocation: sourceLocation)
        #expect(
            try connection.integer("SELECT seq FROM sqlite_sequence WHERE name = 't'") == 3,
            sourceLocation: sourceLocation)
        #expect(
            try connection.integer("SELECT count(*) FROM f WHERE f MATCH 'lantern'") == 1,
            sourceLocation: sourceLocation)
        #expect(try connection.integer("PRAGMA user_version") == 3, sourceLocation: sourceLocation)
        #expect(try connection.value("PRAGMA integrity_check") == .text("ok"), sourceLocation: sourceLocation)
    }

    @Test func `a plain database is exported under a key and back`() throws {
        let folder = try TemporaryFolder()
        let plain = try BackEnd.cipherOff.connect(folder.file("plain.db"))
        try plain.execute(schema)
        try plain.export(to: folder.file("keyed.db"), key: BackEnds.key())
        #expect(throws: Fault.self) { try plain.export(to: folder.file("keyed.db"), key: BackEnds.key()) }
        let keyed = try BackEnd.cipher.connect(folder.file("keyed.db"))
        try expectWhole(keyed)
        try keyed.export(to: folder.file("again.db"), key: nil)
        keyed.close()
        try expectWhole(BackEnd.plain.connect(folder.file("again.db")))
        try plain.execute("INSERT INTO t (a) VALUES ('still writable')")
    }

    /// A store as an older Mobile SDK writes it opens with the right settings.
    @Test func `files of older formats open with their settings`() throws {
        let folder = try TemporaryFolder()
        let library = try BackEnd.cipher.library()
        for cipher in [CipherSettings(compatibility: 3, kdfIterations: 4000), CipherSettings(kdfIterations: 4000)] {
            let settings = ConnectionSettings(cipher: cipher)
            let path = folder.file("kdf\(cipher.compatibility ?? 4).db")
            let connection = try Connection(
                path: path, library: library, key: Key(passphrase: "old"), settings: settings)
            try connection.execute(schema)
            connection.close()
            let fault = #expect(throws: Fault.self) {
                _ = try Connection(path: path, library: library, key: Key(passphrase: "old"))
            }
            #expect(fault?.code == .wrongKey)
            try expectWhole(Connection(path: path, library: library, key: Key(passphrase: "old"), settings: settings))
        }
    }
}
