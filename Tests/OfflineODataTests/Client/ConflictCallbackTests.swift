import JSONText
import MockODataService
import OData
import OfflineOData
import SQLiteAccess
import ServiceTransport
import TestSupport
import Testing

/// Conflicts that the app decides in a callback.
@Suite struct ConflictCallbackTests {
    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Note"><Key><PropertyRef Name="ID"/></Key>
        <Property Name="ID" Type="Edm.Int32" Nullable="false"/><Property Name="Text" Type="Edm.String"/>
        <Property Name="Rank" Type="Edm.Int32"/></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Notes" EntityType="N.Note"/></EntityContainer>
        </Schema></edmx:DataServices></edmx:Edmx>
        """

    /// A note that was changed here and on the service, and is pushed with a decision of the app.
    private static func pushed(
        _ resolve: @escaping @Sendable (Conflict) -> Conflict.Resolution
    ) async throws -> (setup: ScenarioSetup, result: PushResult) {
        let service = try MockODataService(metadata: Array(metadata.utf8))
        try service.add(["ID": 1, "Text": "a", "Rank": 1], to: "Notes")
        let setup = try ScenarioSetup(
            service, metadata: metadata, .inProcess, .plain, sets: ["Notes": EntitySetSettings()],
            options: { $0.resolve = resolve })
        try await setup.client.load("Notes")
        try await setup.client.update("Notes", .key(1), ["Text": "mine"])
        try service.set("Notes", "1", ["ID": 1, "Text": "theirs", "Rank": 2])
        return (setup, try await setup.client.push())
    }

    @Test func `mine is sent over theirs`() async throws {
        let (setup, result) = try await Self.pushed { _ in .mine }
        #expect(result.outcomes.map(\.kind) == [.done])
        #expect(setup.service.entities(of: "Notes").map { $0["Text"] } == ["mine"])
        #expect(try setup.column("Rank", of: "Notes") == [2])
        #expect(try setup.differences("Notes") == [])
    }

    @Test func `theirs makes the row clean`() async throws {
        let (setup, result) = try await Self.pushed { _ in .theirs }
        #expect(result.outcomes.map(\.kind) == [.done])
        #expect(try setup.column("Text", of: "Notes") == ["theirs"])
        #expect(try await setup.client.pending().isEmpty)
    }

    @Test func `keep leaves both versions`() async throws {
        let (setup, result) = try await Self.pushed { conflict in
            #expect(conflict.changed == ["Text", "Rank"])
            #expect(conflict.base?["Text"] == "a")
            return .keep
        }
        #expect(result.outcomes.map(\.kind) == [.conflict])
        #expect(try await setup.client.conflicts().map { $0.theirs?["Text"] } == ["theirs"])
    }

    @Test func `merged properties are put into theirs, without keys and members of the row`() async throws {
        let (setup, result) = try await Self.pushed { _ in
            .merged(["ID": 9, "Text": "merged", "__key__": "9", "__local__": false, "_soupEntryId": 77])
        }
        #expect(result.outcomes.map(\.kind) == [.done])
        #expect(try setup.column("__key__", of: "Notes") == ["1"])
        #expect(try setup.column("_soupEntryId", of: "Notes") == [1])
        #expect(setup.service.entities(of: "Notes").map { $0["Text"] } == ["merged"])
        #expect(try setup.differences("Notes") == [])
    }
}
