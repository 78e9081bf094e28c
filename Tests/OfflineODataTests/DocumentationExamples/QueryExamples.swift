import OfflineOData
import OfflineStore
import TestSupport
import Testing

/// The examples in the documentation of queries over soups.
@Suite struct QueryExamples {
    @Test func `the example of SoupQuery`() throws {
        let setup = try ProductStore()
        let store = setup.store
        try setup.add(1..<6)
        // Example: Sources/OfflineOData/Query/SoupQuery.swift
        let query = try SoupQuery("$filter=Price gt 2.5&$orderby=Name&$top=20&$count=true")
        var cursor = try store.query(odata: query, in: "products")
        let total = cursor.count
        // End of example
        #expect(total == 3)
        #expect(try !cursor.next())
    }

    @Test func `the example of ODataCursor`() throws {
        let setup = try ProductStore()
        let store = setup.store
        try setup.add(1..<6)
        let query = try SoupQuery("", pageSize: 2)
        var shown = 0
        func show(_ rows: [[UInt8]]) { shown += rows.count }
        // Example: Sources/OfflineOData/Query/ODataCursor.swift
        var cursor = try store.query(odata: query, in: "products")
        repeat {
            show(cursor.page)
        } while try cursor.next()
        // End of example
        #expect(shown == 5)
    }

    @Test func `the examples of the store`() throws {
        let setup = try ProductStore()
        let store = setup.store
        try setup.add(1..<6)
        // Example: Sources/OfflineOData/Query/SmartStore+OData.swift
        let query = try SoupQuery("$filter=startswith(Name,'M')&$orderby=Price desc")
        let cursor = try store.query(odata: query, in: "products")
        // End of example
        #expect(cursor.page.isEmpty)
        // Example: Sources/OfflineOData/Query/SmartStore+OData.swift
        let plan = try store.explain(odata: query, in: "products")
        let evaluated = plan.conjuncts.filter { $0.answer != .sql }.map(\.text)
        // End of example
        #expect(evaluated == ["startswith(Name,?)"])
    }

    @Test func `the example of SoupRelation`() throws {
        // Example: Sources/OfflineOData/Query/SoupRelation.swift
        let items = SoupRelation("Items", soup: "Items", local: ["OrderID"], foreign: ["OrderID"], isCollection: true)
        // End of example
        #expect(items.isCollection)
    }

    @Test func `the example of the article`() throws {
        let setup = try ProductStore()
        let store = setup.store
        try setup.add(1..<6)
        try store.registerSoup("Items", indexSpecs: [.json1("Price")])
        // Example: Sources/OfflineOData/OfflineOData.docc/WithoutConnection.md
        let items = SoupRelation("Items", soup: "Items", local: ["Price"], foreign: ["Price"], isCollection: true)
        let query = try SoupQuery("$filter=Rating ge 4&$expand=Items($orderby=Line)&$top=20")
        let cursor = try store.query(odata: query, in: "products", relations: [items])
        // End of example
        #expect(cursor.page.count == 5)
    }

    @Test func `every example of the documentation is tested`() throws {
        let documented = try CodeExample.documented(below: "Sources/OfflineOData")
        let compiled = try CodeExample.compiled(below: "Tests/OfflineODataTests/DocumentationExamples")
        #expect(CodeExample.differences(documented: documented, compiled: compiled) == [])
    }
}
