import OfflineStore
import OfflineSync
import Soups
import TestSupport
import Testing

/// The examples in the documentation of the record cache.
@Suite struct CacheExamples {
    @Test func `the example of RecordCache`() throws {
        let setup = try CacheFolder()
        let store = setup.store
        // Example: Sources/OfflineSync/Cache/RecordCache.swift
        let cache = RecordCache(store, soup: "agents", additionalIndexSpecs: [.string("Mission")])
        try cache.register()
        try cache.save(["Id": "007", "Name": "James Bond", "Mission": "TopSecret"])
        try cache.save(["Id": "007", "Mission": "TopSecret2"])
        let agent = try cache.retrieve("007")
        let secret = try cache.find(.like(path: "Mission", likeKey: "Top%")).records()
        // The agent has its name and the new mission.
        // End of example
        #expect(agent?["Name"] == "James Bond" && agent?["Mission"] == "TopSecret2")
        #expect(secret.count == 1)
    }

    @Test func `the example of CachedRemote`() async throws {
        let setup = try CacheFolder()
        let (cache, originals) = (setup.cache, setup.originals)
        let network = Script()
        var shown: [String] = []
        func show(_ names: [String]) { shown = names }
        // Example: Sources/OfflineSync/Cache/CachedRemote.swift
        let accounts = CachedRemote(ServiceRemote(network, objectType: "Account"), cache: cache, originals: originals)
        let fields = ["Id", "Name", "Industry"]
        _ = try await accounts.read("001A", fields: fields)
        do {
            _ = try await accounts.update("001A", with: ["Name": "Acme2"], fields: fields, mergeMode: .failIfConflict)
        } catch let conflict as MergeConflict {
            show(conflict.report.changes.conflicting)
        }
        // End of example
        #expect(shown == ["Name"])
    }

    @Test func `the example of the catalogue`() async throws {
        let setup = try CacheFolder()
        let (cache, originals) = (setup.cache, setup.originals)
        let network = Script()
        // Example: Sources/OfflineSync/OfflineSync.docc/OfflineSync.md
        let service = ServiceRemote(network, objectType: "Account")
        let accounts = CachedRemote(service, cache: cache, originals: originals, mergeMode: .failIfConflict)
        let updated = try await accounts.update("001A", with: ["Name": "Acme2"], fields: ["Id", "Name"])
        // End of example
        #expect(updated.record?["Name"] == "Acme2")
    }

    /// A service on which somebody renames the record between two reads.
    private actor Script: Transport {
        private var reads = 0

        func send(_ request: ServiceRequest) async throws -> ServiceResponse {
            reads += 1
            let name = reads == 1 ? "Acme" : "NewAcme"
            return ServiceResponse(
                status: 200, body: Array(#"{"Id":"001A","Name":"\#(name)","Industry":"Software"}"#.utf8))
        }
    }

    @Test func `every example is tested`() throws {
        let documented = try CodeExample.documented(below: "Sources/OfflineSync")
        let compiled = try CodeExample.compiled(below: "Tests/OfflineSyncTests/DocumentationExamples")
        #expect(CodeExample.differences(documented: documented, compiled: compiled) == [])
    }
}
