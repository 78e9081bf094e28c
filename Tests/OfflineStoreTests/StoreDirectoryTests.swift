import FoundationEssentials
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Stores of users.
@Suite
struct StoreDirectoryTests {
    private typealias StoreName = StoreDirectory.StoreName

    private func directory(
        _ folder: TemporaryFolder, user: String = "org/user", _ backEnd: BackEnd = .plain
    ) throws -> StoreDirectory {
        try StoreDirectory(root: folder.path, user: user) { [folder] _ in
            var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
            options.clock = .system.keeping(folder)
            return options
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `user and global stores of one name are apart, and each is one object`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let stores = try directory(TemporaryFolder(), backEnd)
        let user = try stores.store()
        let global = try stores.store(StoreName(isGlobal: true))
        try user.registerSoup("mine", indexSpecs: [.string("k")])
        #expect(try !global.soupExists("mine"))
        #expect(try stores.store() === user)
        #expect(stores.names(global: false) == ["defaultStore"] && stores.names(global: true) == ["defaultStore"])
        #expect(try stores.size(StoreName()) > 0)
        try stores.remove(StoreName())
        #expect(faultCode { _ = try user.soupExists("mine") } == .closed)
        #expect(stores.names(global: false) == [] && stores.names(global: true) == ["defaultStore"])
        #expect(try !stores.store().soupExists("mine"))
        try stores.remove(StoreName("never made"))
    }

    @Test(arguments: ["", "/", "..", ".", "a/b", "../a", "a\0b"])
    func `names cannot leave their folder; every other text is a name`(_ name: String) throws {
        let stores = try directory(TemporaryFolder())
        #expect(faultCode { _ = try stores.store(StoreName(name)) } == .invalidStoreName)
        #expect(faultCode { _ = try stores.exists(StoreName(name)) } == .invalidStoreName)
        #expect(faultCode { try stores.remove(StoreName(name)) } == .invalidStoreName)
    }

    @Test
    func `names come back as they were given, in the order of their bytes`() throws {
        let stores = try directory(TemporaryFolder())
        let names = ["A b", "CON", "a", "a b", "caf\u{E9}", "cafe\u{301}", "x..y", "%41", "~$'\"*?<>|", "🦊"]
        for name in names.shuffled() {
            _ = try stores.store(StoreName(name))
        }
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        #expect(stores.names(global: false).map(ByteKey.init) == sorted.map(ByteKey.init))
        for name in names {
            #expect(try stores.exists(StoreName(name)))
        }
        #expect(try !stores.exists(StoreName("b")))
        try stores.removeAll(global: false)
        #expect(stores.names(global: false).isEmpty)
    }

    @Test
    func `logging out removes one user's stores; those of others and the global ones stay`() throws {
        let folder = try TemporaryFolder()
        let long = String(repeating: "ünï/../", count: 40)
        for user in ["a", "A", "a+", long, long + "x"] {
            let stores = try directory(folder, user: user)
            try stores.store().registerSoup(user.contains("n") ? "long" : "s", indexSpecs: [.string("k")])
            #expect(try stores.store().allSoupNames().count == 1, "a fresh store for \(user)")
            try stores.close()
        }
        let stores = try directory(folder, user: long)
        _ = try stores.store(StoreName("shared", isGlobal: true))
        _ = try stores.store(StoreName("second"))
        try stores.logOut()
        #expect(stores.names(global: false) == [])
        #expect(stores.names(global: true) == ["shared"])
        for user in ["a", "A", "a+", long + "x"] {
            #expect(try directory(folder, user: user).names(global: false) == ["defaultStore"])
        }
        #expect(faultCode { _ = try directory(folder, user: "") } == .invalidStoreName)
        // Everything is below the root.
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["global", "users"])
    }

    @Test
    func `a configuration creates missing soups, leaves existing ones alone, and names those it cannot create`() throws
    {
        let setup = try StoreFolder(.plain)
        let store = try setup.open()
        try store.registerSoup("old", indexSpecs: [.string("k")])
        let text = """
            {"soups": [
              {"soupName": "crates", "indexes": [{"path": "a", "type": "string"}, {"path": "b", "type": "integer"}, {"path": "c", "type": "floating"},
                {"path": "d", "type": "json1"}, {"path": "e", "type": "full_text"}]},
              {"soupName": "old", "indexes": [{"path": "other", "type": "string"}]},
              {"soupName": "", "indexes": [{"path": "a", "type": "string"}]}, {"soupName": "n1", "indexes": []}, {"soupName": "n2"},
              {"soupName": "n3", "indexes": [{"path": "a", "type": "text"}]}, {"indexes": []}, 7,
              {"soupName": "last", "indexes": [{"path": "a", "type": "string"}]}
            ]}
            """
        let result = try store.load(StoreConfiguration(json: text.bytes))
        #expect(result.created == ["crates", "last"] && result.present == ["old"])
        #expect(result.skipped.map(\.name) == ["", "n1", "n2", "n3", nil, nil])
        #expect(
            result.skipped.map(\.reason.code) == [
                .invalidSoupName, .noIndexSpecs, .noIndexSpecs, .invalidIndexSpec, .invalidSoupName, .invalidSoupName,
            ])
        #expect(
            try store.indexSpecs(ofSoup: "crates").map(\.columnName) == [
                "TABLE_2_0", "TABLE_2_1", "TABLE_2_2", "json_extract(soup, '$.d')", "TABLE_2_4",
            ])
        #expect(try store.indexSpecs(ofSoup: "old").map(\.path) == ["k"])
        let empty = try store.load(StoreConfiguration(json: "{}".bytes))
        #expect(empty.created.isEmpty && empty.present.isEmpty && empty.skipped.isEmpty)
        for bad in ["[]", "{\"soups\": null}", "{\"soups\": 1}", "{\"soups\": [", "null"] {
            #expect(faultCode { _ = try StoreConfiguration(json: bad.bytes) } == .invalidStoreConfig)
        }
    }
}
