import FoundationEssentials
import Soups
import TestSupport
import Testing

@testable import SQLiteAccess

/// POSIX drops a process's locks on a file when any of its descriptors of that file is closed. While a lock is held,
/// these tests do everything that could open the file a second time, and let another process try to write.
@Suite(.serialized) struct FileLockTests {
    @Test(arguments: ["wal", "delete"]) func `another process stays locked out whatever we do`(
        _ mode: String
    ) async throws {
        for backEnd in BackEnds.available {
            let folder = try TemporaryFolder()
            let path = folder.file("a.db")
            let settings = ConnectionSettings(journalMode: mode == "wal" ? .wal : .delete)
            let writer = try backEnd.connect(path, settings: settings)
            try writer.execute("CREATE TABLE t (a)")
            try writer.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES ('ours')")

            // A second connection, refused or not, and every query about the file.
            _ = try? backEnd.connect(path, access: .readOnly)
            _ = try? Connection(path: path, library: backEnd.library(), key: BackEnds.key(9))
            _ = try? Connection(path: path, library: SQLiteLibrary.find(.plain), key: nil)
            _ = try? SQLiteLibrary.find(.cipher).tryOpening(path)
            #expect(OpenFiles.shared.contains(path))

            let name = backEnd.rawValue
            await #expect(processExitsWith: .exitCode(75)) { [path = path as String, name = name as String] in
                leave(FileLockTests.insert(path, name))
            }
            try writer.execute("COMMIT")
            writer.close()
            await #expect(processExitsWith: .exitCode(0)) { [path = path as String, name = name as String] in
                leave(FileLockTests.insert(path, name))
            }
            let reader = try backEnd.connect(path)
            #expect(try reader.integer("SELECT count(*) FROM t") == 2, "a committed row was lost on \(name), \(mode)")
            #expect(try reader.value("PRAGMA integrity_check") == .text("ok"))
        }
    }

    /// The control: reading the file by hand, which the library never does, does let the other process write.
    @Test func `reading an open database by hand would drop the lock`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.db")
        let writer = try BackEnd.plain.connect(path, settings: ConnectionSettings(journalMode: .delete))
        try writer.execute("CREATE TABLE t (a)")
        try writer.execute("BEGIN IMMEDIATE; INSERT INTO t VALUES ('ours')")
        _ = try Data(contentsOf: URL(filePath: path))
        await #expect(processExitsWith: .exitCode(0)) { [path = path as String] in
            leave(FileLockTests.insert(path, "plain"))
        }
        try? writer.execute("ROLLBACK")
    }

    /// Runs in another process and writes one row. Returns 0, or 75 if the lock is held.
    static func insert(_ path: String, _ backEnd: String) -> Int32 {
        let outcome = Result { () throws(Fault) in
            let connection = try BackEnd(rawValue: backEnd)?.connect(
                path, access: .readWrite, settings: ConnectionSettings(busyTimeout: 0))
            try connection?.execute("INSERT INTO t VALUES ('theirs')")
            connection?.close()
        }
        switch outcome {
        case .success: return 0
        case .failure(let fault): return fault.code == .busy ? 75 : 1
        }
    }
}

extension SQLiteLibrary {
    fileprivate func tryOpening(_ path: String) throws(Fault) { _ = try Connection(path: path, library: self) }
}
