#if os(Linux)
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// After closing, no copy of a key is left in the process. The control: while the store is open it is found.
@Suite(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is missing: run ci/setup")) struct KeyMemoryTests {
    @Test(arguments: [true, false]) func noKeyIsLeftInMemoryAfterClosing(_ raw: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.db")
        await #expect(processExitsWith: .exitCode(0)) { [path = path as String, raw = raw as Bool] in
            leave(try KeyMemoryTests.exercise(path, raw))
        }
    }

    /// Run in another process, so that nobody else's memory is searched. The bytes searched for are computed, never a
    /// literal.
    static func exercise(_ path: String, _ raw: Bool) throws -> Int32 {
        let secret = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 1)
        for index in 0..<32 {
            secret[index] = UInt8(truncatingIfNeeded: 97 &+ (index &* 7) % 26)
        }
        do {
            let library = try BackEnd.cipher.library()
            let key = try makeKey(secret, raw)
            let connection = try Connection(path: path, library: library, key: key)
            try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
            guard OwnMemory.occurrences(of: UnsafeRawBufferPointer(secret)) > 0 else {
                return 3
            }
            connection.close()
        }
        return OwnMemory.occurrences(of: UnsafeRawBufferPointer(secret)) == 0 ? 0 : 4
    }

    private static func makeKey(_ secret: UnsafeMutableRawBufferPointer, _ raw: Bool) throws(Fault) -> Key {
        var bytes = Array(secret)
        defer { for index in bytes.indices { bytes[index] = 0 } }
        return raw ? try Key(raw: bytes) : try Key(passphrase: bytes)
    }
}
#endif
