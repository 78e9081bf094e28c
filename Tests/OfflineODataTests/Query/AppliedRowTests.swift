import JSONText
import OData
import OfflineOData
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// `$apply` over the rows of a soup.
@Suite struct AppliedRowTests {
    private static let queries = [
        "$apply=groupby((Rating),aggregate(Price with sum as Total,$count as Number))",
        "$apply=filter(Price gt 5)/filter(Price lt 20)/groupby((Rating,Name))&$orderby=Name desc&$skip=1&$top=7",
        "$apply=compute(Price mul 2 as Twice)/filter(Twice gt 20)&$select=Name,Twice&$count=true",
        "$apply=filter(Price gt 9)/aggregate(Price with average as Mean)",
        "$apply=filter(Price lt 0)/groupby((Rating))&$count=true",
        "$apply=filter(Price lt 0)/aggregate($count as Number,Price with max as Most)",
        "$apply=compute(Price mod 3 as Rest)/filter(Price gt 3)/groupby((Rest),aggregate(Name with max as Last))",
        "$apply=groupby((Rating,Name),aggregate(Price with sum as Total))/aggregate(Total with average as Mean)",
        "$apply=groupby((Rating),filter(Price gt 9)/aggregate(Name with countdistinct as Names))",
        "$apply=compute(Price mul 2 as Twice)&$orderby=Twice desc&$top=4",
    ]

    @Test(arguments: [BackEnd.plain, .cipher], queries)
    func `all pages together are what an evaluation over all rows gives`(backEnd: BackEnd, text: String) throws {
        try backEnd.skipIfMissing()
        let setup = try ProductStore(backEnd)
        try setup.add(1..<31)
        let rows = try setup.store.retrieve(ids: Array(1...30), from: "products").map { try JSONValue(parsing: $0) }
        let (expected, count) = try ODataOptionRunner(text, version: .v401).apply(to: rows)

        var cursor = try setup.store.query(odata: SoupQuery(text, version: .v401, pageSize: 3), in: "products")
        #expect(cursor.count == count)
        var found: [JSONValue] = []
        repeat {
            found += try cursor.page.map { try JSONValue(parsing: $0) }
        } while try cursor.next()
        #expect(found == expected)
    }

    @Test func `what the pipeline does not need takes no memory`() throws {
        let setup = try ProductStore()
        try setup.add(1..<200)
        func query(_ text: String) throws -> ODataCursor {
            try setup.store.query(odata: SoupQuery(text, sortBytes: 110_000), in: "products")
        }
        let fault = #expect(throws: Fault.self) { _ = try query("$apply=compute(Price mul 2 as Twice)") }
        #expect(fault?.code == .limitExceeded)
        #expect(try query("$apply=filter(Price lt 5)/compute(Price mul 2 as Twice)").page.count == 4)
        // Groups need what they are made of, and nothing else.
        let reduced = try query("$apply=groupby((Rating),aggregate($count as Number))")
        #expect(try JSONValue(parsing: reduced.page[0]) == ["Rating": 5, "Number": 199])
    }

    @Test func `many groups, and many different values of one, take memory`() throws {
        let setup = try ProductStore()
        try setup.add(1..<200)
        for steps in ["groupby((Name))", "aggregate(Name with countdistinct as Names)"] {
            let fault = #expect(throws: Fault.self) {
                _ = try setup.store.query(odata: SoupQuery("$apply=" + steps, sortBytes: 10_000), in: "products")
            }
            #expect(fault?.code == .limitExceeded)
            let cursor = try setup.store.query(odata: SoupQuery("$apply=" + steps, sortBytes: 1 << 20), in: "products")
            #expect(!cursor.page.isEmpty)
        }
    }

    @Test func `a cursor keeps its results when rows change`() throws {
        let setup = try ProductStore()
        try setup.add(1..<6)
        var cursor = try setup.store.query(odata: SoupQuery("$apply=groupby((Name))", pageSize: 2), in: "products")
        try setup.store.remove(ids: [1, 2, 3, 4, 5], from: "products")
        #expect(try cursor.next())
        #expect(ProductStore.names(cursor.page) == ["P1003", "P1004"])
        #expect(try cursor.next())
        #expect(ProductStore.names(cursor.page) == ["P1005"])
        #expect(try !cursor.next())
    }
}
