#if os(Linux)
@testable import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// The key of external entries is a row of the store. SQLite has that row in its cache while the store is open; no
/// other copy of it may exist.
@Suite(.enabled(if: BackEnds.available.contains(.cipher), "SQLCipher is absent"))
struct ElementKeyMemoryTests {
    @Test
    func `reading the key and giving it back leaves no further copy`() async throws {
        let setup = try StoreFolder(.cipher)
        try Self.fill(setup)
        await #expect(processExitsWith: .exitCode(0)) { [path = setup.path as String] in
            leave(try ElementKeyMemoryTests.exercise(path))
        }
    }

    private static func fill(_ setup: StoreFolder) throws {
        let store = try setup.open()
        try store.registerSoup(SoupSpec(name: "x", features: [.externalStorage]), indexSpecs: [.string("k")])
        try store.upsert([#"{"k":"a"}"#.bytes], into: "x")
        try store.close()
    }

    static func exercise(_ path: String) throws -> Int32 {
        let secret = UnsafeMutableRawBufferPointer.allocate(byteCount: 32, alignment: 1)
        let connection = try BackEnd.cipher.connect(path, access: .readWrite)
        do {
            let statement = try connection.statement("SELECT directory, elementKey FROM external_storage")
            guard try statement.step() else {
                return 2
            }
            let lent = statement.lentBytes(at: 1)
            guard lent.count == 32 else {
                return 3
            }
            secret.copyMemory(from: lent)
            statement.reset()
        }
        // What both openings below need apart from the key exists already.
        for _ in 0..<3 {
            _ = try ElementVault.exists(connection)
        }
        let search = OwnMemory.Search()
        // SQLite's own copies: the page, and what the statement read from it.
        let before = search.occurrences(of: UnsafeRawBufferPointer(secret))
        guard before > 0 else {
            return 4
        }
        for _ in 0..<2 {
            _ = try ElementVault.open(connection)
            guard search.occurrences(of: UnsafeRawBufferPointer(secret)) == before else {
                return 5
            }
        }
        return 0
    }
}
#endif
