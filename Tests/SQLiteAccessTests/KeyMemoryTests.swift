#if os(Linux)
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// After closing, no copy of a key is left in the process. The control: it is found while the store is open.
///
/// What SQLite itself reads and writes as rows is not searched for. The key of external entries is in a row; its page
/// in the cache is SQLite's to free.
@Suite(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is missing: run ci/setup")) struct KeyMemoryTests {
    @Test(arguments: [true, false]) func `no key is left in memory after closing`(_ raw: Bool) async throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.db")
        await #expect(processExitsWith: .exitCode(0)) { [path = path as String, raw = raw as Bool] in
            leave(try KeyMemoryTests.exercise(path, raw))
        }
    }

    /// Runs in another process, so that only its memory is searched. The bytes searched for are computed, never a
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

    /// The other key is handed to SQLite as a bound value. Passphrases of several lengths, because freed memory is used
    /// again depending on its size.
    @Test func `no key is left in memory after exporting`() async throws {
        let folder = try TemporaryFolder()
        await #expect(processExitsWith: .exitCode(0)) { [folder = folder.path as String] in
            leave(try KeyMemoryTests.export(folder))
        }
    }

    static func export(_ folder: String) throws -> Int32 {
        let secret = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 1)
        for index in 0..<32 {
            secret[index] = UInt8(truncatingIfNeeded: 97 &+ (index &* 7) % 26)
        }
        let connection = try BackEnd.cipherOff.connect(folder + "/plain.db")
        try connection.execute("CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        for size in [64, 500, 1_500, 3_000, 9_000, 30_000] {
            do {
                var passphrase = [UInt8](repeating: 0, count: size)
                for index in passphrase.indices {
                    passphrase[index] = secret[index % 32]
                }
                let key = try Key(passphrase: passphrase)
                for index in passphrase.indices {
                    passphrase[index] = 0
                }
                guard OwnMemory.occurrences(of: UnsafeRawBufferPointer(secret)) > 0 else {
                    return 3
                }
                try connection.export(to: folder + "/keyed-\(size).db", key: key)
            }
            // The connection that exported is still open.
            guard OwnMemory.occurrences(of: UnsafeRawBufferPointer(secret)) == 0 else {
                return 4
            }
        }
        connection.close()
        return OwnMemory.occurrences(of: UnsafeRawBufferPointer(secret)) == 0 ? 0 : 5
    }

    @Test func `a random key and its lent bytes are overwritten`() async throws {
        await #expect(processExitsWith: .exitCode(0)) { leave(try KeyMemoryTests.lend()) }
    }

    static func lend() throws -> Int32 {
        let secret = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 1)
        var handed = UnsafeMutableRawBufferPointer(start: nil, count: 0)
        do {
            let key = Key.random()
            try key.withRawBytes { secret.copyMemory(from: $0) }
            handed = literal(of: secret)
            guard OwnMemory.occurrences(of: UnsafeRawBufferPointer(handed)) > 0 else {
                return 3
            }
            _ = try Key(lentBytes: UnsafeRawBufferPointer(secret))
        }
        guard OwnMemory.occurrences(of: UnsafeRawBufferPointer(secret)) == 0 else {
            return 4
        }
        return OwnMemory.occurrences(of: UnsafeRawBufferPointer(handed)) == 0 ? 0 : 5
    }

    /// `x'`, the digits, `'`, written without a string that would stay in memory.
    private static func literal(of secret: UnsafeMutableRawBufferPointer) -> UnsafeMutableRawBufferPointer {
        let text = UnsafeMutableRawBufferPointer.allocate(byteCount: 67, alignment: 1)
        func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
        text[0] = UInt8(ascii: "x")
        text[1] = UInt8(ascii: "'")
        for (index, byte) in secret.enumerated() {
            text[2 + 2 * index] = digit(byte >> 4)
            text[3 + 2 * index] = digit(byte & 15)
        }
        text[66] = UInt8(ascii: "'")
        return text
    }
}
#endif
