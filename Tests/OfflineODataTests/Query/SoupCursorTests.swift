import OfflineOData
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// Cursors over soups, with rows that come and go between their pages.
@Suite struct SoupCursorTests {
    @Test(arguments: [BackEnd.plain, .cipher])
    func `pages in the order of the ids go on behind the last row`(backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try ProductStore(backEnd)
        try setup.add(1..<8)
        let query = try SoupQuery("$filter=Price gt 0&$count=true", pageSize: 3)
        var cursor = try setup.store.query(odata: query, in: "products")
        #expect(ProductStore.names(cursor.page) == ["P1001", "P1002", "P1003"])
        #expect(cursor.count == 7)
        #expect(cursor.nextSkip == 3)
        try setup.store.remove(ids: [1, 2, 4], from: "products")
        try setup.add(8..<9)
        #expect(try cursor.next())
        #expect(ProductStore.names(cursor.page) == ["P1005", "P1006", "P1007"])
        #expect(try cursor.next())
        #expect(ProductStore.names(cursor.page) == ["P1008"])
        #expect(cursor.nextSkip == nil)
        #expect(try !cursor.next())
        #expect(cursor.page.isEmpty)
        #expect(cursor.count == 7)
    }

    @Test func `a sorted cursor keeps its order, fills pages up and sees no new rows`() throws {
        let setup = try ProductStore()
        try setup.add(1..<8)
        let query = try SoupQuery("$filter=Rating eq 5&$orderby=Price desc", pageSize: 2)
        var cursor = try setup.store.query(odata: query, in: "products")
        #expect(ProductStore.names(cursor.page) == ["P1007", "P1006"])
        try setup.store.remove(ids: [5], from: "products")
        try setup.store.upsert([["Name": "other", "Price": 4, "Rating": 1, "_soupEntryId": 4]], into: "products")
        try setup.add(20..<21)
        #expect(try cursor.next())
        #expect(ProductStore.names(cursor.page) == ["P1003", "P1002"])
        #expect(try cursor.next())
        #expect(ProductStore.names(cursor.page) == ["P1001"])
        #expect(try !cursor.next())
    }

    @Test func `copies of a cursor move independently`() async throws {
        let setup = try ProductStore()
        try setup.add(1..<6)
        let store = setup.store
        var first = try await store.query(odata: SoupQuery("", pageSize: 2), in: "products")
        var second = first
        #expect(try await first.next())
        #expect(ProductStore.names(first.page) == ["P1003", "P1004"])
        #expect(ProductStore.names(second.page) == ["P1001", "P1002"])
        #expect(try await second.next())
        #expect(second.page == first.page)
    }

    @Test func `many candidates are walked over, few are looked up`() throws {
        let setup = try ProductStore()
        try setup.add(1..<500)
        let few = try setup.store.query(odata: SoupQuery("$filter=Price gt 490&$count=true"), in: "products")
        #expect(few.count == 9)
        let text = try setup.store.query(
            odata: SoupQuery("$filter=Name gt 'P1400'&$count=true&$top=1"), in: "products")
        #expect(text.count == 99)
        #expect(ProductStore.names(text.page) == ["P1401"])
    }

    @Test func `a sort that takes too much memory is refused, unless top limits it`() throws {
        let setup = try ProductStore()
        try setup.add(1..<200)
        let all = try SoupQuery("$orderby=Price", sortBytes: 4_096)
        #expect { try setup.store.query(odata: all, in: "products") } throws: { error in
            (error as? Fault)?.code == .limitExceeded
        }
        let top = try SoupQuery("$orderby=Price desc&$top=3", sortBytes: 4_096)
        let cursor = try setup.store.query(odata: top, in: "products")
        #expect(ProductStore.names(cursor.page) == ["P1199", "P1198", "P1197"])
        // Along an index nothing is sorted.
        let ordered = try setup.store.query(odata: SoupQuery("$orderby=Name desc", sortBytes: 4_096), in: "products")
        #expect(ProductStore.names(ordered.page).first == "P1199")
    }

    @Test func `a query inside a transaction sees what it has written`() throws {
        let setup = try ProductStore()
        try setup.store.transaction { _ in
            try setup.add(1..<3)
            let cursor = try setup.store.query(odata: SoupQuery("$filter=Name eq 'P1002'"), in: "products")
            #expect(cursor.page.count == 1)
        }
    }
}
