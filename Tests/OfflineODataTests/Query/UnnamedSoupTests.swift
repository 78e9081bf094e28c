import JSONText
import OfflineOData
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

/// Soups of stores that others have written, whose names Smart SQL cannot write.
@Suite struct UnnamedSoupTests {
    @Test(arguments: ["a:b", "a}b", "{a", "S:N"])
    func `a soup whose name Smart SQL cannot write is read by its ids`(name: String) throws {
        let folder = try TemporaryFolder()
        let path = folder.file("named.db")
        let options = StoreOptions(library: try BackEnd.plain.library())
        let first = try SmartStore(path: path, options: options)
        try first.registerSoup("S", indexSpecs: [.string("N"), .fullText("T")])
        let rows = [#"{"N":"x","T":"red tea"}"#, #"{"N":"y","T":"milk"}"#, #"{"N":"x","T":"green tea"}"#]
        try first.upsert(rows.map { Array($0.utf8) }, into: "S")
        try first.close()
        let raw = try Connection(path: path, library: BackEnd.plain.library())
        for table in ["soup_attrs", "soup_index_map"] {
            try raw.execute("UPDATE \(table) SET soupName = '\(name)' WHERE soupName = 'S'")
        }
        raw.close()

        let store = try SmartStore(path: path, options: options)
        defer { try? store.close() }
        func ids(_ query: String) throws -> [Int64] {
            let relation = SoupRelation("Same", soup: name, local: ["N"], foreign: ["N"], isCollection: true)
            var cursor = try store.query(odata: try SoupQuery(query, pageSize: 1), in: name, relations: [relation])
            var found = cursor.page
            while try cursor.next() {
                found += cursor.page
            }
            return try found.map { try JSONValue(parsing: $0)["_soupEntryId"]?.int64 ?? 0 }
        }
        #expect(try ids("$filter=N eq 'x'") == [1, 3])
        #expect(try ids("$filter=N gt 'x'") == [2])
        #expect(try ids("$orderby=T&$skip=1") == [2, 1])
        #expect(try ids("$search=NOT milk&$filter=N ne 'q'") == [1, 3])
        let expanded = try store.query(
            odata: try SoupQuery("$filter=T eq 'milk'&$expand=Same&$count=true"), in: name,
            relations: [SoupRelation("Same", soup: name, local: ["N"], foreign: ["N"], isCollection: true)])
        #expect(expanded.count == 1)
        #expect(try JSONValue(parsing: expanded.page[0])["Same"]?.array?.count == 1)
        let plan = try store.explain(odata: try SoupQuery("$filter=N eq 'x'"), in: name)
        #expect(plan.conjuncts.map(\.answer) == [.residual])
    }
}
