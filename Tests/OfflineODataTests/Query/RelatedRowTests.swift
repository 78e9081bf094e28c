import JSONText
import OfflineOData
import OfflineStore
import Soups
import TestSupport
import Testing

/// Which rows `$expand` finds in other soups, whatever the indexes and the spelling of the rows are.
@Suite struct RelatedRowTests {
    private static let children = [
        #"{"P":"a","n":1}"#, #"{"P":"b","n":2}"#, #"{ "P" : "a" , "n":3}"#, #"{"\u0050":"a","n":4}"#,
        #"{"P":"a","n":5,"__locally_deleted__":true}"#, #"{"P":"a","n":6,"__locally_deleted__":false}"#,
        #"{"P":"a","n":7,"\u005f_locally_deleted__":true}"#, #"{"P":"\u0061","n":8}"#,
        #"{"P":"5","n":9}"#, #"{"P":5,"n":10}"#, #"{"P":5.0,"n":11}"#, #"{"P":true,"n":12}"#, #"{"P":"true","n":13}"#,
        #"{"P":null,"n":14}"#, #"{"n":15}"#, #"{"P":["a"],"n":16}"#, #"{"P":"[\"a\"]","n":17}"#,
        #"{"P":"a","n":18,"deep":{"__locally_deleted__":true}}"#, #"{"P":"a","n":19,"Note":"__locally_deleted__"}"#,
    ]
    private static let parents = [
        #"{"K":"a"}"#, #"{"K":"b"}"#, #"{"K":"5"}"#, #"{"K":5}"#, #"{"K":true}"#, #"{"K":"[\"a\"]"}"#, #"{"K":null}"#,
        #"{"K":"a","C":[{"own":1}]}"#, #"{"K":"a","C":7}"#, #"{ "K" : "a" , "\u0043\u0044" : { "x" : [ 1 , 2 ] } }"#,
    ]
    private static let found: [[Int64]] = [
        [1, 3, 4, 6, 8, 18, 19], [2], [9], [10, 11], [12], [17], [], [], [1, 3, 4, 6, 8, 18, 19],
        [1, 3, 4, 6, 8, 18, 19],
    ]

    private static func pages(_ specs: [IndexSpec], _ query: String) throws -> [JSONValue] {
        let setup = try ProductStore()
        try setup.store.registerSoup("parents", indexSpecs: [.string("K")])
        try setup.store.registerSoup("children", indexSpecs: specs)
        try setup.store.upsert(parents.map { Array($0.utf8) }, into: "parents")
        try setup.store.upsert(children.map { Array($0.utf8) }, into: "children")
        let relation = SoupRelation("C", soup: "children", local: ["K"], foreign: ["P"], isCollection: true)
        return try setup.store.query(odata: SoupQuery(query), in: "parents", relations: [relation]).page.map {
            try JSONValue(parsing: $0)
        }
    }

    private static func numbers(_ row: JSONValue) -> [Int64] {
        row["C"]?.array?.compactMap { $0["n"]?.int64 } ?? []
    }

    @Test(arguments: [[IndexSpec.string("P")], [.fullText("P")], [.json1("P")], [.integer("P")], [.string("n")]])
    func `related rows are found by every index and without one`(specs: [IndexSpec]) throws {
        let plain = try Self.pages(specs, "$expand=C")
        #expect(plain.map(Self.numbers) == Self.found)
        #expect(plain[7]["C"]?.array?.first?["own"]?.int64 == 1)
        #expect(plain[9]["CD"]?["x"]?.array?.count == 2)
        // With options the members are read.
        let filtered = try Self.pages(specs, "$expand=C($filter=n gt 3;$orderby=n desc)")
        #expect(filtered.map(Self.numbers) == Self.found.map { $0.filter { $0 > 3 }.reversed() })
    }

    @Test func `the members of a row keep their bytes before what is expanded`() throws {
        let setup = try ProductStore()
        try setup.store.registerSoup("S", indexSpecs: [.string("K")])
        try setup.store.upsert([Array(#"{ "K" : "a\u0062" , "\u0041\"" : [ 1 , 2.50 ] , "e" : {} }"#.utf8)], into: "S")
        let relation = SoupRelation("C", soup: "S", local: ["K"], foreign: ["e"], isCollection: true)
        let page = try setup.store.query(odata: SoupQuery("$expand=C($count=true)"), in: "S", relations: [relation])
            .page
        let text = page.map { String(decoding: $0, as: UTF8.self) }.joined()
        #expect(text.contains(##""K" : "a\u0062" , "A\"" : [ 1 , 2.50 ] , "e" : {}"##))
        #expect(text.hasSuffix(#","C@odata.count":0,"C":[]}"#))
    }
}
