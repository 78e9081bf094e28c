import JSONText
import MockODataService
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// The asynchronous forms of a client's edits, queries and decisions.
@Suite struct AsynchronousClientTests {
    private let folder: TemporaryFolder
    private let store: SmartStore
    private let service: MockODataService
    private let client: ODataClient

    init() throws {
        let folder = try TemporaryFolder()
        let metadata = Array(FieldServiceScenario.metadata.utf8)
        var options = MockODataOptions()
        options.root = "/svc/"
        self.folder = folder
        store = try SmartStore(
            path: folder.file("client.db"), options: StoreOptions(library: try BackEnd.plain.library()))
        service = try MockODataService(metadata: metadata, options: options)
        try service.set("Orders", "(1)", ["Status": "open"])
        let map = try EntitySetMap(model: try EdmModel(csdl: metadata), version: .v4)
        client = try ODataClient(store, serviceRoot: "https://host/svc/", transport: service.transport, map: map)
    }

    @Test func `asynchronous edits and queries do what blocking ones do`() async throws {
        defer { try? store.close() }
        try await client.load("Orders")
        try await client.update("Orders", .key(1), ["Status": "done"])
        try await client.create("Orders", ["Status": "new"])
        #expect(try await client.plan().map(\.method) == ["POST", "PATCH"])
        #expect(try await client.query("Orders", "$filter=Status ne 'open'").page.count == 2)
        try await client.delete("Orders", .key(1))
        try await client.undelete("Orders", .key(1))
        #expect(try await client.pending().map(\.operation) == [.update, .insert])
        #expect(try await client.discard("Orders", .key(1))?["Status"] == "open")
        #expect(try await client.doubts().isEmpty)
        #expect(try await client.push().status == .done)
        #expect(service.entities(of: "Orders").map { $0["Status"] } == ["open", "new"])
    }

    @Test func `a conflict is found and resolved without blocking`() async throws {
        defer { try? store.close() }
        try await client.load("Orders")
        try await client.update("Orders", .key(1), ["Status": "mine"])
        try service.set("Orders", "(1)", ["Status": "theirs"])
        _ = try await client.push()
        let conflict = try #require(try await client.conflicts().first)
        try await client.resolve("Orders", entryId: conflict.entryId, .theirs)
        #expect(try await client.pending().isEmpty)
        #expect(try await client.query("Orders", "$filter=Status eq 'theirs'").page.count == 1)
    }

    @Test func `an edit of a cancelled task changes nothing`() async throws {
        defer { try? store.close() }
        let client = client
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await client.create("Orders", ["Status": "new"])
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try await client.pending().isEmpty)
    }
}
