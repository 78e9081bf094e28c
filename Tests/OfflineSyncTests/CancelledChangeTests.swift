import LocalChanges
import OfflineStore
import OfflineSync
import Soups
import TestSupport
import Testing

/// What the service has done cannot be taken back: the cache has to know it, whatever became of the task.
@Suite struct CancelledChangeTests {
    private let setup: CacheFolder

    init() throws { setup = try CacheFolder() }

    /// Makes a call in a task that is cancelled while the change is under way.
    private func whileCancelled(
        _ call: @escaping @Sendable (CachedRemote) async throws -> CachedRecord
    ) async throws -> CachedRecord {
        setup.remote.beforeNextChange { withUnsafeCurrentTask { $0?.cancel() } }
        let accounts = setup.accounts
        return try await Task { try await call(accounts) }.value
    }

    @Test func `a record that was created is in the cache, and is not created again`() async throws {
        let local = try #require(
            try await setup.accounts.create(["Name": "n"], mode: .cacheOnly).record?["Id"]?.string)
        #expect(try await whileCancelled { try await $0.update(local, with: [:]) }.record?["Id"] == "001")
        #expect(try setup.cache.retrieve(local) == nil)
        #expect(try setup.cache.retrieve("001")?["__local__"] == false)
        #expect(try Outbox(setup.store).doubts(inSoup: "accounts").isEmpty)
        #expect(try await whileCancelled { try await $0.create(["Name": "m"]) }.record?["Id"] == "002")
        #expect(try setup.cache.retrieve("002") != nil && setup.originals.retrieve("002") != nil)
    }

    @Test func `a record that was updated or deleted is so in the cache`() async throws {
        setup.remote["1"] = ["Id": "1", "Name": "a"]
        _ = try await setup.accounts.read("1")
        #expect(try await whileCancelled { try await $0.update("1", with: ["Name": "b"]) }.record?["Name"] == "b")
        #expect(try setup.cache.retrieve("1")?["Name"] == "b")
        _ = try await whileCancelled { try await $0.delete("1") }
        #expect(try setup.cache.retrieve("1") == nil && setup.originals.retrieve("1") == nil)
    }

    @Test func `a creation that the service refuses leaves no doubt in a cancelled task either`() async throws {
        let local = try #require(
            try await setup.accounts.create(["Name": "n"], mode: .cacheOnly).record?["Id"]?.string)
        setup.remote.failure = Fault(.refused, "the test says so")
        #expect(await faultCode { _ = try await whileCancelled { try await $0.update(local, with: [:]) } } == .refused)
        #expect(try Outbox(setup.store).doubts(inSoup: "accounts").isEmpty)
    }

    @Test func `two tasks that send one local record create it once`() async throws {
        for _ in 0..<20 {
            let local = try #require(
                try await setup.accounts.create(["Name": "n"], mode: .cacheOnly).record?["Id"]?.string)
            let accounts = setup.accounts
            let codes = await withTaskGroup(of: Fault.Code?.self) { group in
                for _ in 0..<4 {
                    group.addTask { await faultCode { _ = try await accounts.update(local, with: [:]) } }
                }
                return await group.reduce(into: [Fault.Code?]()) { $0.append($1) }
            }
            #expect(codes.filter { $0 == nil }.count == 1)
            #expect(codes.allSatisfy { $0 == nil || $0 == .inDoubt || $0 == .invalidEntry })
            #expect(setup.remote.takeCalls().count == 1)
        }
    }
}
