import JSONText
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import ServiceTransport
import Soups
import Synchronization
import TestSupport
import Testing

/// Pages with more entities than one transaction applies, or more keys than one row notes.
@Suite struct LargePageTests {
    /// Answers requests by a function.
    private final class Service: Transport {
        private let answer = Mutex<(@Sendable (ServiceRequest) async throws -> String)?>(nil)

        func answer(by answer: @escaping @Sendable (ServiceRequest) async throws -> String) {
            self.answer.withLock { $0 = answer }
        }

        func send(_ request: ServiceRequest) async throws -> ServiceResponse {
            let function = answer.withLock { $0 }
            let body = try await function?(request) ?? ""
            let headers = [Pair("Content-Type", "application/json")]
            return ServiceResponse(status: body.isEmpty ? 204 : 200, headers: headers, body: Array(body.utf8))
        }
    }

    private let folder: TemporaryFolder
    private let store: SmartStore
    private let service = Service()

    init() throws {
        folder = try TemporaryFolder()
        store = try SmartStore(
            path: folder.file("large.db"), options: StoreOptions(library: try BackEnd.plain.library()))
    }

    private func client(_ map: EntitySetMap) throws -> ODataClient {
        try ODataClient(store, serviceRoot: "https://host/svc/", transport: service, map: map)
    }

    private static func feed(_ entities: some Sequence<String>) -> String {
        #"{"value": [\#(entities.joined(separator: ", "))]}"#
    }

    @Test func `a page that was overtaken at its end counts its entities once`() async throws {
        defer { try? store.close() }
        let client = try client(EntitySetMap(set: "Notes", key: ["Id"]))
        let page = Self.feed((1...5_500).map { #"{"Id": \#($0), "Text": "a"}"# })
        service.answer { _ in page }
        try await client.load("Notes")
        try await client.update("Notes", .key(5_400), ["Text": "mine"])

        let pushed = Mutex(false)
        service.answer { request in
            guard request.method == "GET" else { return "" }
            let isFirst = pushed.withLock { pushed in
                defer { pushed = true }
                return !pushed
            }
            if isFirst {
                _ = try await client.push()
            }
            return page
        }
        let loaded = try await client.load("Notes")
        #expect(loaded.status == .done)
        #expect(loaded.summary.pages == 1)
        #expect(loaded.summary.entities == 5_500)
        let state = try #require(try await store.query(odata: SoupQuery(""), in: "odata_loads").page.first)
        #expect(try JSONValue(parsing: state)["entities"] == 5_500)
    }

    private static let metadata = """
        <edmx:Edmx Version="4.0" xmlns:edmx="http://docs.oasis-open.org/odata/ns/edmx"><edmx:DataServices>
        <Schema Namespace="N" xmlns="http://docs.oasis-open.org/odata/ns/edm">
        <EntityType Name="Order"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32"/>
        <NavigationProperty Name="Items" Type="Collection(N.Item)" Partner="Order"/></EntityType>
        <EntityType Name="Item"><Key><PropertyRef Name="Id"/></Key><Property Name="Id" Type="Edm.Int32"/>
        <Property Name="OrderId" Type="Edm.Int32"/><NavigationProperty Name="Order" Type="N.Order" Partner="Items">
        <ReferentialConstraint Property="OrderId" ReferencedProperty="Id"/></NavigationProperty></EntityType>
        <EntityContainer Name="C"><EntitySet Name="Orders" EntityType="N.Order"/>
        <EntitySet Name="Items" EntityType="N.Item"/></EntityContainer></Schema></edmx:DataServices></edmx:Edmx>
        """

    @Test func `a load that is never continued notes each key of other loads once`() async throws {
        defer { try? store.close() }
        let client = try client(EntitySetMap(model: EdmModel(csdl: Array(Self.metadata.utf8)), version: .v4))
        service.answer { _ in throw Fault(.noAnswer, "nothing came") }
        #expect(try await client.load("Items").status == .failed)

        let items = (1...1_700).map { #"{"Id": \#($0), "OrderId": 1}"# }.joined(separator: ", ")
        let page = Self.feed([#"{"Id": 1, "Items": [\#(items)]}"#])
        service.answer { _ in page }
        for _ in 0..<3 {
            #expect(try await client.load("Orders", query: "$expand=Items", mode: .full).status == .done)
        }
        let rows = try await store.query(odata: SoupQuery("$filter=set eq 'Items'"), in: "odata_seen").page
        let keys = try rows.flatMap { try JSONValue(parsing: $0)["keys"]?.array ?? [] }
        #expect(keys.count == 1_700)
    }

    @Test func `a value that no index can hold is named with its entity and its path`() async throws {
        defer { try? store.close() }
        var settings = EntitySetSettings()
        settings.key = ["Id"]
        settings.indexSpecs = [.string("Text")]
        let client = try client(EntitySetMap(version: .v4, sets: ["Notes": settings]))
        service.answer { _ in
            Self.feed([#"{"Id": 1, "Text": "a", "Other": "\u0000"}"#, #"{"Id": 2, "Text": "secret\u0000"}"#])
        }
        let loaded = try await client.load("Notes")
        let fault = try #require(loaded.fault)
        #expect(fault.code == .invalidEntry)
        #expect(fault.message.contains("entity 2 of the page"))
        #expect(fault.context.contains(.path("Text")))
        #expect(fault.context.contains(.soup("Notes")))
        #expect(!fault.description.contains("secret"))
    }
}
