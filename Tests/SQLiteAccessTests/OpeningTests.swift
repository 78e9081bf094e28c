import FoundationEssentials
import Platform
import Soups
import TestSupport
import Testing

@testable import SQLiteAccess

/// The table of error codes for opening: each refusal has its code, and leaves the file unchanged.
@Suite struct OpeningTests {
    /// Everything in a folder, byte for byte.
    private func contents(of folder: TemporaryFolder) throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
            contents[name] = [UInt8](try Data(contentsOf: URL(filePath: folder.file(name))))
        }
        return contents
    }

    private func makeStore(
        _ backEnd: BackEnd, in folder: TemporaryFolder, settings: ConnectionSettings = ConnectionSettings()
    ) throws -> String {
        let path = folder.file("store.db")
        let connection = try backEnd.connect(path, settings: settings)
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES ('kept')")
        connection.close()
        return path
    }

    /// A folder with `store.db`, encrypted, as a crash leaves it: its only row is still in the -wal.
    private func folderAfterCrash() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let writer = try BackEnd.cipher.connect(folder.file("live.db"))
        try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES ('in the log')")
        let crashed = try TemporaryFolder()
        for suffix in ["", "-wal"] {
            // The connection belongs to the original file: copying the live files simulates the state after a crash.
            try FileManager.default.copyItem(
                atPath: folder.file("live.db") + suffix, toPath: crashed.file("store.db") + suffix)
        }
        writer.close()
        return crashed
    }

    private func expectRefusal(
        _ code: Fault.Code, of folder: TemporaryFolder, _ open: () throws -> Connection,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try contents(of: folder)
        let fault = #expect(throws: Fault.self, sourceLocation: sourceLocation) { _ = try open() }
        #expect(fault?.code == code, sourceLocation: sourceLocation)
        #expect(try contents(of: folder) == before, "the files changed", sourceLocation: sourceLocation)
    }

    @Test(arguments: BackEnd.allCases) func `an encrypted file without a key is key missing`(_ opener: BackEnd) throws {
        try opener.skipIfMissing()
        try BackEnd.cipher.skipIfMissing()
        let folder = try TemporaryFolder()
        let path = try makeStore(.cipher, in: folder)
        try expectRefusal(.keyMissing, of: folder) { try Connection(path: path, library: opener.library()) }
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher))) func `a plain file with a key is not encrypted`() throws {
        for writer in [BackEnd.plain, .cipherOff] {
            let folder = try TemporaryFolder()
            let path = try makeStore(writer, in: folder)
            try expectRefusal(.notEncrypted, of: folder) { try BackEnd.cipher.connect(path) }
        }
    }

    @Test(arguments: BackEnd.allCases) func `a file of impossible length is no database`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        for length in [1, 100, 511, 513, 4097] {
            let folder = try TemporaryFolder()
            try Data(repeating: 65, count: length).write(to: URL(filePath: folder.file("x")))
            try expectRefusal(.notADatabase, of: folder) { try backEnd.connect(folder.file("x")) }
        }
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher))) func `another key is a wrong key`() throws {
        let folder = try TemporaryFolder()
        let path = try makeStore(.cipher, in: folder)
        let library = try BackEnd.cipher.library()
        try expectRefusal(.wrongKey, of: folder) { try Connection(path: path, library: library, key: BackEnds.key(8)) }
        try expectRefusal(.wrongKey, of: folder) {
            try Connection(path: path, library: library, key: Key(passphrase: "guess"))
        }
        try expectRefusal(.wrongKey, of: folder) {
            try Connection(path: path, library: library, access: .readOnly, key: BackEnds.key(8))
        }
        let connection = try BackEnd.cipher.connect(path, access: .readWrite)
        #expect(try connection.value("SELECT a FROM t") == .text("kept"))
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher)))
    func `a damaged first page is a wrong key and a later one is corrupt`()
        throws
    {
        let folder = try TemporaryFolder()
        let path = folder.file("store.db")
        let connection = try BackEnd.cipher.connect(path)
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(20000))")
        connection.close()
        let sound = try Data(contentsOf: URL(filePath: path))
        var damaged = sound
        damaged[100] ^= 1
        try damaged.write(to: URL(filePath: path))
        try expectRefusal(.wrongKey, of: folder) { try BackEnd.cipher.connect(path) }
        damaged = sound
        damaged[4096 * 3 + 100] ^= 1
        try damaged.write(to: URL(filePath: path))
        let opened = try BackEnd.cipher.connect(path)
        let fault = #expect(throws: Fault.self) { try opened.value("SELECT a FROM t") }
        #expect(fault?.code == .corrupt || fault?.code == .inputOutput)
    }

    /// After a crash the -wal holds committed rows: a wrong key must neither checkpoint nor remove it.
    @Test(.enabled(if: BackEnds.available.contains(.cipher)))
    func `a wrong key leaves the write ahead log of a crash alone`() throws {
        let crashed = try folderAfterCrash()
        let library = try BackEnd.cipher.library()
        try expectRefusal(.wrongKey, of: crashed) {
            try Connection(path: crashed.file("store.db"), library: library, key: BackEnds.key(8))
        }
        let reopened = try BackEnd.cipher.connect(crashed.file("store.db"))
        #expect(try reopened.value("SELECT a FROM t") == .text("in the log"))
    }

    /// A copy that a killed process left is removed when the database is next opened; one that another process uses is
    /// not touched.
    @Test(arguments: BackEnd.allCases) func `copies for trying a key are not left lying`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let folder = try TemporaryFolder()
        let path = try makeStore(backEnd, in: folder)
        let left = path + ".probe"
        func leave() throws {
            try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
            for name in ["copy", "copy-wal", "copy-shm"] {
                try Data("left".utf8).write(to: URL(filePath: left + "/" + name))
            }
        }
        try leave()
        try backEnd.connect(path, access: .readOnly).close()
        #expect(FileManager.default.fileExists(atPath: left), "opened for reading nothing is removed")
        try backEnd.connect(path).close()
        #expect(!FileManager.default.fileExists(atPath: left))

        try leave()
        let lock = try #require(KeyProbeFolder.lock(left))
        try backEnd.connect(path).close()
        #expect(FileManager.default.fileExists(atPath: left + "/copy"))
        lock.release()
    }

    /// A folder with an encrypted `store.db` whose first page was cut off in the middle; the original page is in the
    /// -journal.
    private func folderAfterCutPage() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let settings = ConnectionSettings(journalMode: .delete, cacheSize: 1 << 10)
        let writer = try BackEnd.cipher.connect(folder.file("live.db"), settings: settings)
        try writer.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(200000))")
        try writer.execute("BEGIN IMMEDIATE; CREATE TABLE u (b); UPDATE t SET a = randomblob(200000)")
        let crashed = try TemporaryFolder()
        let copy = crashed.file("store.db")
        for suffix in ["", "-journal"] {
            try FileManager.default.copyItem(atPath: folder.file("live.db") + suffix, toPath: copy + suffix)
        }
        try writer.execute("ROLLBACK")
        var bytes = try Data(contentsOf: URL(filePath: crashed.file("store.db")))
        bytes[2000] ^= 1
        try bytes.write(to: URL(filePath: crashed.file("store.db")))
        return crashed
    }

    /// A log that a crash left is read in place: no copy is made, and a copy that another process uses is not waited
    /// for.
    @Test(.enabled(if: BackEnds.available.contains(.cipher))) func `a key is tried in place next to a log`() throws {
        let crashed = try folderAfterCrash()
        let left = crashed.file("store.db.probe")
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        let lock = try #require(KeyProbeFolder.lock(left))
        defer { lock.release() }
        let opened = try BackEnd.cipher.connect(crashed.file("store.db"), settings: ConnectionSettings(busyTimeout: 20))
        #expect(try opened.value("SELECT a FROM t") == .text("in the log"))
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher))) func `a wrong key leaves the journal of a crash alone`()
        throws
    {
        let crashed = try folderAfterCutPage()
        let library = try BackEnd.cipher.library()
        try expectRefusal(.wrongKey, of: crashed) {
            try Connection(path: crashed.file("store.db"), library: library, key: BackEnds.key(8))
        }
        let opened = try BackEnd.cipher.connect(crashed.file("store.db"))
        #expect(try opened.integer("SELECT count(*) FROM t WHERE a = zeroblob(200000)") == 1)
    }

    /// Only the journal has the first page, so the key is tried on a copy. If another process uses the copy, that is
    /// `busy`; afterwards nothing of it is left.
    @Test(.enabled(if: BackEnds.available.contains(.cipher)))
    func `a key is tried on a copy where the first page is cut off`() throws {
        let crashed = try folderAfterCutPage()
        let left = crashed.file("store.db.probe")
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        let lock = try #require(KeyProbeFolder.lock(left))
        let fault = #expect(throws: Fault.self) {
            _ = try BackEnd.cipher.connect(crashed.file("store.db"), settings: ConnectionSettings(busyTimeout: 20))
        }
        #expect(fault?.code == .busy)
        lock.release()
        try BackEnd.cipher.connect(crashed.file("store.db")).close()
        #expect(!FileManager.default.fileExists(atPath: left))
    }

    @Test func `a key for a library without codec is encryption unavailable`() throws {
        let folder = try TemporaryFolder()
        let path = try makeStore(.plain, in: folder)
        let library = try BackEnd.plain.library()
        try expectRefusal(.encryptionUnavailable, of: folder) {
            try Connection(path: path, library: library, key: BackEnds.key())
        }
        try expectRefusal(.encryptionUnavailable, of: folder) {
            try Connection(path: folder.file("new.db"), library: library, key: BackEnds.key())
        }
    }

    @Test(arguments: BackEnd.allCases) func `a missing file is not made unless asked for`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let folder = try TemporaryFolder()
        try expectRefusal(.storeNotFound, of: folder) { try backEnd.connect(folder.file("no.db"), access: .readWrite) }
        try expectRefusal(.storeNotFound, of: folder) { try backEnd.connect(folder.file("no.db"), access: .readOnly) }
        try expectRefusal(.inputOutput, of: folder) { try backEnd.connect(folder.file("missing/no.db")) }
        let connection = try backEnd.connect(folder.file("new.db"))
        let mode = try FileManager.default.attributesOfItem(atPath: folder.file("new.db"))[.posixPermissions] as? Int
        #expect(mode == 0o600)
        connection.close()
    }

    @Test(.enabled(if: BackEnds.available.contains(.cipher)))
    func `two libraries of one process never have the same file`() throws {
        let folder = try TemporaryFolder()
        let path = try makeStore(.plain, in: folder)
        try FileManager.default.createSymbolicLink(atPath: folder.file("alias.db"), withDestinationPath: path)
        let first = try BackEnd.plain.connect(path)
        let fault = #expect(throws: Fault.self) { _ = try BackEnd.cipherOff.connect(folder.file("alias.db")) }
        #expect(fault?.code == .busy)
        first.close()
        let second = try BackEnd.cipherOff.connect(folder.file("alias.db"))
        #expect(try second.value("SELECT a FROM t") == .text("kept"))
    }

    @Test(arguments: BackEnd.allCases) func `what is written is readable on disk exactly without a key`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let folder = try TemporaryFolder()
        let connection = try backEnd.connect(folder.file("a.db"))
        try connection.execute(
            "CREATE TABLE t (a); CREATE VIRTUAL TABLE f USING fts5(x); INSERT INTO t VALUES ('marker-of-the-test'); INSERT INTO f VALUES ('marker-of-the-test')"
        )
        connection.close()
        let marker = Array("marker-of-the-test".utf8)
        let found = try contents(of: folder).values.contains { bytes in Data(bytes).firstRange(of: Data(marker)) != nil
        }
        #expect(found == !backEnd.isKeyed)
    }

    /// A sort far larger than the cache: nothing of it may reach the disk unencrypted.
    @Test(.enabled(if: BackEnds.available.contains(.cipher))) func `sorting leaves no readable temporary file`() throws
    {
        let folder = try TemporaryFolder()
        let connection = try BackEnd.cipher.connect(
            folder.file("a.db"), settings: ConnectionSettings(cacheSize: 64 << 10))
        #expect(try connection.integer("PRAGMA temp_store") == 2)
    }
}
