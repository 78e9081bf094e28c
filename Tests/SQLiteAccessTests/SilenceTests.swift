import FoundationEssentials
import Libc
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// SQLCipher writes lines to standard error if a page does not decrypt. The library reports that in a fault instead,
/// and prints nothing.
///
/// Each case is the first use of the library in a process of its own, because SQLCipher decides what it prints when it
/// is first given a key.
@Suite(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is missing: run ci/setup"))
struct SilenceTests {
    @Test(arguments: [
        "wrong key", "wrong passphrase", "wrong key, reading only", "wrong key beside a log", "damaged page",
        "export under a key",
    ])
    func `a file that does not decrypt is a fault, and nothing is printed`(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.db")
        let connection = try BackEnd.cipher.connect(path)
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(40000))")
        if name == "wrong key beside a log" {
            // The copy of an open database, with its log next to it.
            try FileManager.default.copyItem(atPath: path, toPath: folder.file("b.db"))
            try FileManager.default.copyItem(atPath: path + "-wal", toPath: folder.file("b.db-wal"))
        }
        connection.close()
        if name == "damaged page" {
            var bytes = try [UInt8](Data(contentsOf: URL(filePath: path)))
            bytes[3 * 4096 + 100] ^= 1
            try Data(bytes).write(to: URL(filePath: path))
        }
        await #expect(processExitsWith: .exitCode(0)) { [folder = folder.path as String, name = name as String] in
            // Redirected into a file, because the test harness prints too.
            let printed = open(folder + "/printed", O_CREAT | O_EXCL | O_WRONLY, 0o600)
            guard printed >= 0, dup2(printed, 1) == 1, dup2(printed, 2) == 2 else {
                leave(9)
            }
            leave(try SilenceTests.failsAsItShould(name, folder) ? 0 : 1)
        }
        #expect(try String(decoding: Data(contentsOf: URL(filePath: folder.file("printed"))), as: UTF8.self) == "")
    }

    static func failsAsItShould(_ name: String, _ folder: String) throws -> Bool {
        let path = folder + "/a.db"
        switch name {
        case "wrong key":
            return try code { _ = try Connection(path: path, library: BackEnd.cipher.library(), key: BackEnds.key(8)) }
                == .wrongKey
        case "wrong passphrase":
            return try code {
                _ = try Connection(path: path, library: BackEnd.cipher.library(), key: Key(passphrase: "no"))
            } == .wrongKey
        case "wrong key, reading only":
            return try code {
                _ = try Connection(
                    path: path, library: BackEnd.cipher.library(), access: .readOnly, key: BackEnds.key(8))
            } == .wrongKey
        case "wrong key beside a log":
            return try code {
                _ = try Connection(path: folder + "/b.db", library: BackEnd.cipher.library(), key: BackEnds.key(8))
            } == .wrongKey
        case "damaged page":
            let connection = try BackEnd.cipher.connect(path, access: .readWrite)
            return try code { _ = try connection.value("SELECT hex(a) FROM t") } == .corrupt
        default:
            let connection = try BackEnd.cipherOff.connect(folder + "/plain.db")
            try connection.export(to: folder + "/keyed.db", key: BackEnds.key())
            return try code {
                _ = try Connection(path: folder + "/keyed.db", library: BackEnd.cipher.library(), key: BackEnds.key(8))
            } == .wrongKey
        }
    }

    private static func code(_ work: () throws -> Void) throws -> Fault.Code? {
        do {
            try work()
            return nil
        } catch let fault as Fault {
            return fault.code
        }
    }
}
