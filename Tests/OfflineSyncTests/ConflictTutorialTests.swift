import OfflineStore
import OfflineSync
import SQLiteAccess
import TestSupport
import Testing

/// The conflict tutorial of the guide, step by step, over a store and a service.
@Suite struct ConflictTutorialTests {
    private static let fields = ["Id", "Name", "Industry"]

    @Test(arguments: [BackEnd.plain, .cipher])
    func `the six steps of the tutorial do what the guide says`(backEnd: BackEnd) async throws {
        try backEnd.skipIfMissing()
        let setup = try CacheFolder(backEnd)
        let (remote, accounts) = (setup.remote, setup.accounts)
        remote["001A"] = ["Id": "001A", "Name": "Acme", "Industry": "Software"]
        _ = try await accounts.read("001A", fields: Self.fields)

        func save(_ name: String, _ mode: MergeMode) async throws {
            _ = try await accounts.update(
                "001A", with: ["Name": .string(name)], fields: Self.fields, mergeMode: mode)
        }
        func expect(_ name: String, _ industry: String, _ comment: Comment) throws {
            #expect(remote["001A"]?["Name"]?.string == name, comment)
            #expect(remote["001A"]?["Industry"]?.string == industry, comment)
        }

        try await save("Acme2", .overwrite)
        try expect("Acme2", "Software", "step 1: yours is sent")

        remote.change("001A", "Industry", "Electronics")
        let second = try #require(try await conflict { try await save("Acme3", .failIfChanged) })
        #expect(second.changes.remote == ["Industry"] && second.changes.local == ["Name"])
        #expect(second.changes.conflicting == [])
        try expect("Acme2", "Electronics", "step 2: nothing is sent")
        #expect(try setup.cache.retrieve("001A")?["Name"] == "Acme2")

        try await save("Acme3", .failIfConflict)
        try expect("Acme3", "Electronics", "step 3: both changes are there")

        remote["001A"] = ["Id": "001A", "Name": "NewAcme", "Industry": "Services"]
        for mode in [MergeMode.failIfChanged, .failIfConflict] {
            let report = try #require(try await conflict { try await save("Acme4", mode) })
            #expect(report.changes.remote == ["Name", "Industry"] && report.changes.local == ["Name"])
            #expect(report.changes.conflicting == ["Name"])
            #expect(report.base["Name"] == "Acme3" && report.theirs?["Name"] == "NewAcme")
            #expect(report.yours["Name"] == "Acme4")
            try expect("NewAcme", "Services", "steps 4 and 5: nothing is sent")
        }

        try await save("Acme4", .acceptYours)
        try expect("Acme4", "Services", "step 6: yours, with the other change of the service")
        #expect(try setup.cache.retrieve("001A")?["Industry"] == "Services")
        #expect(try setup.originals.retrieve("001A")?["Name"] == "Acme4")
        try await setup.store.close()
    }
}
