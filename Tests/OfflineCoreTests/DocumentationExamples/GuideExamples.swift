import Foundation
import OfflineCore
import TestSupport
import Testing

/// The code of the two guides for those who come from elsewhere.
@Suite struct GuideExamples {
    private let examples: ExampleStore

    init() throws { examples = try ExampleStore() }

    private static let hasCipher = (try? SQLiteLibrary.find(.cipher)) != nil

    // MARK: - From Mobile SDK

    @Test(.enabled(if: Self.hasCipher, "SQLCipher is missing: run ci/setup"))
    func `a store of Mobile SDK opens, and its copy has another key`() async throws {
        let path = examples.folder.file("sdk.db")
        let newPath = examples.folder.file("new.db")
        let passphrase = Array("c2l4dGVlbiBieXRlcyBvZiBhIGtleQ==".utf8)
        let newKey = [UInt8](repeating: 9, count: 32)
        try makeStore(path, passphrase)
        let store = try openStoreOfSDK(path, passphrase)
        // Example: Sources/OfflineCore/OfflineCore.docc/FromMobileSDK.md
        let summary = try await store.backup(to: newPath, key: .key(try Key(raw: newKey)))
        let entries = summary.soups.map { "\($0.name): \($0.entries)" }
        // End of example
        #expect(entries == ["people: 1"])
        let options = StoreOptions(library: try SQLiteLibrary.find(.cipher), key: try Key(raw: newKey))
        let copy = try await SmartStore.open(path: newPath, options: options)
        #expect(try await copy.count(.all(), soup: "people") == 1)
    }

    private func makeStore(_ path: String, _ passphrase: [UInt8]) throws {
        var options = StoreOptions(library: try SQLiteLibrary.find(.cipher), key: try Key(passphrase: passphrase))
        options.settings.cipher.kdfIterations = 4000
        let store = try SmartStore(path: path, options: options)
        try store.registerSoup("people", indexSpecs: [.string("name")])
        try store.upsert([["name": "Ada"]], into: "people")
        try store.close()
    }

    private func openStoreOfSDK(_ path: String, _ passphrase: [UInt8]) throws -> SmartStore {
        // Example: Sources/OfflineCore/OfflineCore.docc/FromMobileSDK.md
        var options = StoreOptions(library: try SQLiteLibrary.find(.cipher), key: try Key(passphrase: passphrase))
        options.access = .readWrite
        options.settings.cipher.kdfIterations = 4000
        let store = try SmartStore(path: path, options: options)
        let soups = try store.allSoupNames()
        // End of example
        #expect(soups == ["people"])
        return store
    }

    @Test func `entries and queries`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineCore/OfflineCore.docc/FromMobileSDK.md
        struct Contact: Codable {
            var name: String
            var city: String?
        }
        try store.registerSoup("people", indexSpecs: [.string("name"), .string("city")])
        let ids = try store.upsert(values: [Contact(name: "Ada", city: "London")], into: "people")
        let inLondon = try store.values(Contact.self, .exact(path: "city", matchKey: "London"), in: "people")
        let names = try store.rows("select {people:name} from {people} where {people:city} = ?", arguments: ["London"])
        // End of example
        #expect(ids == [1] && inLondon.map(\.value.name) == ["Ada"])
        #expect(try names[0].string(0) == "Ada")
    }

    // MARK: - From GRDB

    private struct Player: Codable {
        var name: String
        var score: Int
    }

    @Test func `players, a transaction and a query`() throws {
        let store = try examples.contacts()
        // Example: Sources/OfflineCore/OfflineCore.docc/FromGRDB.md
        struct Player: Codable {
            var name: String
            var score: Int
        }
        try store.registerSoup("players", indexSpecs: [.string("name"), .integer("score")])
        let players = [Player(name: "Ada", score: 120), Player(name: "Bo", score: 90)]
        try store.transaction { transaction in
            try transaction.upsert(values: players, into: "players")
        }
        let best = try store.values(Player.self, .range(path: "score", from: 100), in: "players")
        // End of example
        #expect(best.map(\.value.name) == ["Ada"])
    }

    @Test func `an observation, and lines that are loaded`() async throws {
        let store = try examples.contacts()
        let linesPath = examples.folder.file("players.jsonl")
        try Data(#"{"id":7,"name":"Bo","score":90}\#n{"id":8,"name":"Ada","score":120}\#n"#.utf8).write(
            to: URL(fileURLWithPath: linesPath))
        // Example: Sources/OfflineCore/OfflineCore.docc/FromGRDB.md
        try await store.registerSoup("players", indexSpecs: [.integer("id"), .string("name"), .integer("score")])
        let progress = try await store.load(jsonLines: linesPath, into: "players", externalIdPath: "id")
        // End of example
        #expect(progress.entries == 2)
        // Loaded again, the same lines replace their entries.
        try await store.load(jsonLines: linesPath, into: "players", externalIdPath: "id")
        #expect(try await firstNames(store) == ["Ada", "Bo"])
    }

    private func firstNames(_ store: SmartStore) async throws -> [String] {
        // Example: Sources/OfflineCore/OfflineCore.docc/FromGRDB.md
        for try await players in store.liveQuery(Player.self, .all(orderPath: "name"), in: "players") {
            return players.map(\.value.name)
        }
        // End of example
        return []
    }
}
