import OfflineCore
import Synchronization
import TestSupport
import Testing

/// The examples about opening stores, in the documentation of the types.
@Suite struct OpeningExamples {
    private let examples: ExampleStore

    init() throws { examples = try ExampleStore() }

    private static let hasCipher = (try? SQLiteLibrary.find(.cipher)) != nil

    @Test func `the example of SmartStore`() throws {
        let path = examples.folder.file("contacts.db")
        // Example: Sources/OfflineStore/Store/SmartStore.swift
        let library = try SQLiteLibrary.find(.plain)
        let store = try SmartStore(path: path, options: StoreOptions(library: library))
        try store.registerSoup("contacts", indexSpecs: [.string("name"), .fullText("notes")])
        try store.upsert([["name": "Ada", "notes": "met at the harbour"]], into: "contacts")
        let cursor = try store.query(.exact(path: "name", matchKey: "Ada"), soup: "contacts")
        let texts = cursor.currentPage.entries.map { String(decoding: $0, as: UTF8.self) }
        try store.close()
        // End of example
        #expect(texts.count == 1 && texts[0].contains("harbour"))
    }

    @Test(.enabled(if: Self.hasCipher, "SQLCipher is missing: run ci/setup")) func `the example of Key`() throws {
        let path = examples.folder.file("secret.db")
        let secret = [UInt8](repeating: 7, count: 32)
        // Example: Sources/SQLiteAccess/Opening/Key.swift
        // The 32 bytes of the key, for example from the keychain.
        let key = try Key(raw: secret)
        let library = try SQLiteLibrary.find(.cipher)
        let store = try SmartStore(path: path, options: StoreOptions(library: library, key: key))
        // End of example
        #expect(store.isEncrypted)
        try store.close()
    }

    @Test(.enabled(if: Self.hasCipher, "SQLCipher is missing: run ci/setup")) func `the example of CipherSettings`()
        throws
    {
        let path = examples.folder.file("mobile.db")
        let passphrase = Array("correct horse".utf8)
        // Example: Sources/SQLiteAccess/Opening/CipherSettings.swift
        var options = StoreOptions(library: try SQLiteLibrary.find(.cipher), key: try Key(passphrase: passphrase))
        // As Mobile SDK writes its stores since version 7.2.
        options.settings.cipher.kdfIterations = 4000
        let store = try SmartStore(path: path, options: options)
        // End of example
        #expect(store.isEncrypted)
        try store.close()
    }

    @Test func `the example of ConnectionSettings`() throws {
        var options = StoreOptions(library: try SQLiteLibrary.find(.plain))
        // Example: Sources/SQLiteAccess/Opening/ConnectionSettings.swift
        // Faster commits, of which a power cut may lose the last ones, and twice the patience with other processes.
        options.settings = ConnectionSettings(durability: .relaxed, busyTimeout: 10_000)
        // End of example
        #expect(options.settings.busyTimeout == 10_000)
    }

    @Test func `the example of StoreOptions`() throws {
        let path = examples.folder.file("contacts.db")
        try SmartStore(path: path, options: StoreOptions(library: try SQLiteLibrary.find(.plain))).close()
        // Example: Sources/OfflineStore/Store/StoreOptions.swift
        var options = StoreOptions(library: try SQLiteLibrary.find(.plain))
        options.access = .readOnly
        options.settings.cacheSize = 4 << 20
        options.smartQueryTime = .seconds(2)
        let store = try SmartStore(path: path, options: options)
        // End of example
        #expect(throws: Fault.self) { try store.registerSoup("s", indexSpecs: [.string("k")]) }
        try store.close()
    }

    @Test func `the example of SQLiteLibrary`() throws {
        // Example: Sources/SQLiteAccess/Library/SQLiteLibrary.swift
        // SQLCipher if it is installed: it opens plain stores too.
        let cipher = try? SQLiteLibrary.find(.cipher)
        let library = try cipher ?? SQLiteLibrary.find(.plain)
        let version = library.version
        // End of example
        #expect(version.hasPrefix("3."))
    }

    @Test func `the example of StoreDirectory`() throws {
        let folder = examples.folder.path
        // Example: Sources/OfflineStore/Stores/StoreDirectory.swift
        let library = try SQLiteLibrary.find(.plain)
        let stores = try StoreDirectory(root: folder, user: "organisation/user") { _ in
            StoreOptions(library: library)
        }
        let contacts = try stores.store(.init("contacts"))
        let shared = try stores.store(.init("shared", isGlobal: true))
        try contacts.registerSoup("people", indexSpecs: [.string("name")])
        // Removes the stores of this user. `close()` only closes them.
        try stores.logOut()
        // End of example
        #expect(contacts.wasClosed && !shared.wasClosed)
        try stores.close()
    }

    @Test func `the example of StoreConfiguration`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineStore/Stores/StoreConfiguration.swift
        let text = #"{"soups": [{"soupName": "tasks", "indexes": [{"path": "due", "type": "string"}]}]}"#
        let result = try store.load(StoreConfiguration(json: Array(text.utf8)))
        // End of example
        #expect(result.created == ["tasks"])
        try store.close()
    }

    @Test func `the example of StoreEvent`() throws {
        let log = Log()
        var options = StoreOptions(library: try SQLiteLibrary.find(.plain))
        // Example: Sources/OfflineStore/Store/StoreEvent.swift
        options.events = { event in
            log.write("\(event.operation.rawValue): \(event.nanoseconds / 1000) us, \(event.rows) rows")
        }
        // End of example
        let store = try SmartStore(path: examples.folder.file("observed.db"), options: options)
        try store.close()
        #expect(log.lines.first?.hasPrefix("open: ") == true)
    }

    @Test func `the example of StoreClock`() throws {
        let path = examples.folder.file("dated.db")
        var options = StoreOptions(library: try SQLiteLibrary.find(.plain))
        // Example: Sources/OfflineStore/Store/StoreClock.swift
        // Each call that writes gets the next millisecond, so a test can predict every date.
        options.clock = .stepping(from: 1_600_000_000_000)
        let store = try SmartStore(path: path, options: options)
        // End of example
        try store.registerSoup("s", indexSpecs: [.string("k")])
        #expect(try store.upsert([["k": "v"]], into: "s")[0]["_soupLastModifiedDate"]?.int64 ?? 0 >= 1_600_000_000_000)
        try store.close()
    }

    @Test(.enabled(if: Self.hasCipher, "SQLCipher is missing: run ci/setup")) func `the example of rekey`() throws {
        let newSecret = [UInt8](repeating: 8, count: 32)
        let options = StoreOptions(
            library: try SQLiteLibrary.find(.cipher), key: try Key(raw: [UInt8](repeating: 7, count: 32)))
        let store = try SmartStore(path: examples.folder.file("rekeyed.db"), options: options)
        // Example: Sources/OfflineStore/Keys/SmartStore+Rekey.swift
        try store.rekey(to: Key(raw: newSecret))
        // End of example
        #expect(store.isEncrypted)
        try store.close()
    }

    @Test func `the example of landingPage`() throws {
        let path = examples.folder.file("tasks.db")
        // Example: Sources/OfflineCore/OfflineCore.docc/OfflineCore.md
        let library = try SQLiteLibrary.find(.plain)
        let store = try SmartStore(path: path, options: StoreOptions(library: library))
        try store.registerSoup("tasks", indexSpecs: [.string("due"), .fullText("title")])
        try store.upsert([["title": "water the plants", "due": "2026-05-04"]], into: "tasks")
        let due = try store.query(.range(path: "due", through: "2026-05-31"), soup: "tasks")
        // End of example
        #expect(try due.totalEntries == 1)
        try store.close()
    }
}

/// Keeps the lines of an observer.
private final class Log: Sendable {
    private let written = Mutex<[String]>([])

    var lines: [String] { written.withLock { $0 } }

    func write(_ line: String) { written.withLock { $0.append(line) } }
}
