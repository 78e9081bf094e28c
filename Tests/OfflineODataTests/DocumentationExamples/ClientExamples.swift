import MockODataService
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import TestSupport
import Testing

/// The examples in the documentation of entity sets and their client.
@Suite struct ClientExamples {
    private let metadata = Array(FieldServiceScenario.metadata.utf8)

    private func store(_ folder: TemporaryFolder) throws -> SmartStore {
        try SmartStore(path: folder.file("example.db"), options: StoreOptions(library: try BackEnd.plain.library()))
    }

    @Test func `the example of EntitySetMap`() throws {
        let model = try EdmModel(csdl: metadata)
        // Example: Sources/OfflineOData/EntitySets/EntitySetMap.swift
        let map = try EntitySetMap(model: model, version: .v4)
        let orders = try map.set("Orders")
        // orders.soup is "Orders"; the soup has an index on `__key__`, `__local__` and each key.
        // End of example
        #expect(orders.soup == "Orders")
        #expect(orders.indexSpecs.prefix(3).map(\.path) == ["__key__", "__local__", "ID"])
    }

    @Test func `the example of ODataClient`() async throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        defer { try? store.close() }
        let notes = """
            <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm"><EntityType Name="Note"><Key>
            <PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32" Nullable="false"/>
            <Property Name="Text" Type="Edm.String"/></EntityType>
            <EntityContainer Name="C"><EntitySet Name="Notes" EntityType="N.Note"/></EntityContainer></Schema>
            """
        var options = MockODataOptions()
        options.root = "/svc/"
        let service = try MockODataService(metadata: Array(notes.utf8), options: options)
        let network = service.transport
        // Example: Sources/OfflineOData/Client/ODataClient.swift
        let map = try EntitySetMap(set: "Notes", key: ["Id"])
        let client = try ODataClient(store, serviceRoot: "https://host/svc/", transport: network, map: map)
        try await client.load("Notes")
        let note = try await client.create("Notes", ["Text": "Milk"])
        let result = try await client.push()
        // End of example
        #expect(note["Text"] == "Milk" && result.status == .done)
        #expect(service.entities(of: "Notes").map { $0["Text"] } == ["Milk"])
    }

    @Test func `the examples of the article and of a query`() async throws {
        let folder = try TemporaryFolder()
        let store = try store(folder)
        defer { try? store.close() }
        var options = MockODataOptions()
        options.root = "/svc/"
        let service = try MockODataService(metadata: metadata, options: options)
        try service.set("Orders", "(1)", ["Status": "open"])
        let network = service.transport
        // Example: Sources/OfflineOData/OfflineOData.docc/WithoutConnection.md
        let map = try EntitySetMap(model: try EdmModel(csdl: metadata), version: .v4)
        let client = try ODataClient(store, serviceRoot: "https://host/svc/", transport: network, map: map)
        try await client.load("Orders", query: "$filter=Status eq 'open'")

        let order = try await client.create("Orders", ["Status": "open"])
        try await client.create("Items", ["OrderID": order["__key__"] ?? .null, "Qty": 2])
        try await client.update("Orders", .key(1), ["Status": "done"])
        let open = try await client.query("Orders", "$filter=Status eq 'open'&$expand=Items").page

        let result = try await client.push(mode: .batch, changeSet: .perTree)
        for conflict in try await client.conflicts() {
            try await client.resolve(conflict.entitySet, entryId: conflict.entryId, .mine)
        }
        // End of example
        #expect(open.count == 1 && result.status == .done)
        #expect(service.entities(of: "Orders").map { $0["Status"] } == ["done", "open"])
        #expect(service.entities(of: "Items").count == 1)
        // Example: Sources/OfflineOData/Client/ODataClient+Querying.swift
        let filter = "$filter=Status eq 'open' and __locally_deleted__ eq false"
        let page = try await client.query("Orders", filter).page
        // End of example
        #expect(page.count == 1)
    }
}
