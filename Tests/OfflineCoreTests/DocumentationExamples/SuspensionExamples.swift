import OfflineCore
import TestSupport
import Testing

/// The examples about stores that are suspended, and about writing only if nothing has changed.
@Suite struct SuspensionExamples {
    private struct Service {
        func check(_ draft: [UInt8]?) async throws -> [UInt8] { draft ?? Array("{}".utf8) }
    }

    private func options() throws -> StoreOptions { StoreOptions(library: try SQLiteLibrary.find(.plain)) }

    @Test func `the example of a suspended store`() throws {
        let folder = try TemporaryFolder()
        let store = try SmartStore(path: folder.file("store.db"), options: options())
        // Example: Sources/OfflineStore/Store/SmartStore+Suspension.swift
        try store.suspend()
        // The app comes back.
        try store.resume()
        // End of example
        #expect(try store.allSoupNames() == [])
    }

    @Test func `the example of a suspended directory`() async throws {
        let folder = try TemporaryFolder()
        let options = try options()
        let stores = try StoreDirectory(root: folder.path, user: "user") { _ in options }
        // Example: Sources/OfflineCore/OfflineCore.docc/ThreadsAndTransactions.md
        try await stores.suspend()
        // The app comes back.
        try await stores.resume()
        // End of example
        #expect(!stores.isSuspended)
    }

    @Test func `the example of writing only if nothing has changed`() async throws {
        let folder = try TemporaryFolder()
        let store = try await SmartStore.open(path: folder.file("store.db"), options: options())
        try await store.registerSoup("drafts", indexSpecs: [.string("name")])
        let service = Service()
        // Example: Sources/OfflineCore/OfflineCore.docc/ThreadsAndTransactions.md
        let (draft, state) = try await store.read { reader in
            (try reader.retrieve(id: 1, from: "drafts"), reader.commit)
        }
        let checked = try await service.check(draft)
        try await store.transaction { transaction in
            try transaction.requireUnchanged(since: state, soups: ["drafts"])
            try transaction.upsert([checked], into: "drafts")
        }
        // End of example
        #expect(try await store.count(.all(), soup: "drafts") == 1)
    }
}
