import MockODataService
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// Expanded entities that stay in the row of their parent.
@Suite struct InlineExpansionTests {
    @Test func `a filter looks at entities that are kept inline, and not at rows of their own`() async throws {
        for isInline in [true, false] {
            let folder = try TemporaryFolder()
            let store = try SmartStore(
                path: folder.file("inline.db"), options: StoreOptions(library: try BackEnd.plain.library()))
            defer { try? store.close() }
            let metadata = Array(FieldServiceScenario.metadata.utf8)
            var options = MockODataOptions()
            options.root = "/svc/"
            let service = try MockODataService(metadata: metadata, options: options)
            try service.set("Orders", "(1)", ["Status": "open"])
            try service.set("Items", "(7)", ["OrderID": 1, "Qty": 5])
            var settings = EntitySetSettings()
            settings.keepsExpansionsInline = isInline
            let map = try EntitySetMap(
                model: try EdmModel(csdl: metadata), version: .v4, sets: ["Orders": settings, "Items": .init()])
            let client = try ODataClient(
                store, serviceRoot: "https://host/svc/", transport: service.transport, map: map)
            try await client.load("Orders", query: "$expand=Items")

            let found = Result { () throws(Fault) in
                try client.query("Orders", "$filter=Items/any(i:i/Qty gt 1)").page.count
            }
            switch found {
            case .success(let count): #expect(isInline && count == 1)
            case .failure(let fault): #expect(!isInline && fault.code == .unsupported)
            }
        }
    }
}
