import LoopbackHTTP
import MockService
import OfflineStore
import OfflineSync
import SQLiteAccess
import ServiceTransport
import Soups
import TestSupport
import Testing

/// The guide's AccountEditor: records that are edited offline one by one, and saved with a look at what others have
/// changed.
@Suite struct AccountEditorScenario {
    private static let fields = ["Id", "Name", "Industry", "Description"]

    @Test(arguments: [BackEnd.plain, .cipher], [false, true])
    func `what was edited offline is saved record by record, and a conflict is shown`(
        backEnd: BackEnd, overLoopback: Bool
    ) async throws {
        try backEnd.skipIfMissing()
        let setup = try CacheFolder(backEnd)
        let mock = MockService()
        let server = overLoopback ? try LoopbackServer { LoopbackAnswer(mock.handle($0).response) } : nil
        let transport: any Transport = server.map { LoopbackTransport(port: $0.port) } ?? mock.transport
        let acme = try mock.create("Account", ["Name": "Acme", "Industry": "Software"])
        let gamma = try mock.create("Account", ["Name": "Gamma", "Industry": "Steel"])
        let remote = ServiceRemote(transport, objectType: "Account")
        func accounts(isOnline: Bool) -> CachedRemote {
            CachedRemote(
                remote, cache: setup.cache, originals: setup.originals,
                cacheMode: { isOnline ? $0 == .read ? .cacheFirst : .serverFirst : .cacheOnly },
                mergeMode: .failIfChanged, uuids: .counting())
        }

        // Online: both records are fetched, and come from the cache the second time.
        var online = accounts(isOnline: true)
        #expect(try await !online.read(acme, fields: Self.fields).isFromCache)
        _ = try await online.read(gamma, fields: Self.fields)
        #expect(try await online.read(acme, fields: Self.fields).isFromCache)

        // Offline: one is renamed, one created, one deleted.
        let offline = accounts(isOnline: false)
        _ = try await offline.update(acme, with: ["Name": "Acme2"], fields: Self.fields)
        let beta = try await offline.create(["Name": "Beta"], fields: Self.fields)
        let local = try #require(beta.record?["Id"]?.string)
        try await offline.delete(gamma)
        let pending = try setup.cache.find(.exact(path: "__local__", matchKey: "true", pageSize: 10)).records()
        #expect(pending.count == 3)

        // In the meantime Acme is changed on the service.
        try mock.update("Account", acme, ["Industry": "Electronics"])

        // Online again: Acme is in conflict and stays, Beta gets its id, Gamma goes.
        online = accounts(isOnline: true)
        let report = try #require(
            try await conflict { _ = try await online.update(acme, with: [:], fields: Self.fields) })
        #expect(report.changes.remote == ["Industry"])
        #expect(report.changes.local == ["Name"])
        #expect(report.changes.conflicting == [])
        var failed = try #require(try setup.cache.retrieve(acme))
        failed["__sync_failed__"] = true
        _ = try setup.cache.save(failed)
        #expect(mock.record("Account", acme)?["Name"] == "Acme")
        let created = try await online.update(local, with: [:], fields: Self.fields)
        #expect(created.record?["Id"]?.string.map { LocalId.isLocal($0) } == false)
        try await online.delete(gamma, fields: Self.fields)
        #expect(mock.record("Account", gamma) == nil)
        #expect(try setup.cache.retrieve(gamma) == nil)

        // Saved once more with the milder mode: yours, with the industry of the service.
        let merged = try await online.update(acme, with: [:], fields: Self.fields, mergeMode: .failIfConflict)
        #expect(merged.record?["Name"] == "Acme2" && merged.record?["Industry"] == "Electronics")
        #expect(mock.record("Account", acme)?["Name"] == "Acme2")
        #expect(mock.record("Account", acme)?["Industry"] == "Electronics")
        #expect(mock.records(of: "Account").count == 2)
        server?.stop()
        try await setup.store.close()
    }
}
