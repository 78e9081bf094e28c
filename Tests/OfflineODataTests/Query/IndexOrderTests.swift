import JSONText
import OData
import OfflineStore
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineOData

/// An order along an index gives what a sort gives.
@Suite struct IndexOrderTests {
    private static func store(
        _ folder: TemporaryFolder, _ backEnd: BackEnd = .plain, fullTextIndexes: Bool = true
    ) throws -> SmartStore {
        var options = StoreOptions(library: try backEnd.library(), key: backEnd.isKeyed ? try BackEnds.key() : nil)
        options.settings.durability = .relaxed
        options.fullTextIndexes = fullTextIndexes
        return try SmartStore(path: folder.file("order.db"), options: options)
    }

    /// All rows of a query, page by page, and its count.
    private static func walk(_ query: SoupQuery, in store: SmartStore) throws -> (rows: [[UInt8]], count: Int64?) {
        var cursor = try store.query(odata: query, in: "S")
        var rows = cursor.page
        while try cursor.next() {
            rows += cursor.page
        }
        return (rows, cursor.count)
    }

    private static func order(_ text: String, in store: SmartStore) throws -> ODataPlan.Order {
        try store.explain(odata: SoupQuery(text, version: .v401), in: "S").order
    }

    // MARK: - Against a sort

    private static let texts = [
        "", "a", "A", "ab", "é", "e\u{301}", "Ω", "\u{FFFD}", "😀", " 1", "2026-12-01", "2026-12-01T10:00:00Z", "true ",
        "-", "+1", "1-2", ".", "/", ":", "Z", "^", "z", "~", "null", "1a", "e", "12:30", "É",
    ]
    /// Values whose cells may be in another order than they are: numbers, booleans, arrays, objects, texts like these.
    private static let doubts = [
        "1", "-2.5", "1e+3", "true", "false", "[1]", "{\"a\":1}", "\"5\"", "\"[x\"", "\"true\"",
    ]

    private static func document(_ random: inout SeededRandom, isDoubtful: Bool) -> [UInt8] {
        let value: String
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return Array(#"{"K":\#(Int.random(in: 0..<4, using: &random))}"#.utf8)
        case 1: value = "null"
        case 2 where isDoubtful: value = doubts.randomElement(using: &random) ?? ""
        default: value = "\"" + (texts.randomElement(using: &random) ?? "") + "\""
        }
        return Array(#"{"T":\#(value),"K":\#(Int.random(in: 0..<4, using: &random))}"#.utf8)
    }

    private static func query(_ random: inout SeededRandom) -> String {
        var options = ["$orderby=T" + (Bool.random(using: &random) ? " desc" : "")]
        if Bool.random(using: &random) {
            options.append("$top=\(Int.random(in: 0..<12, using: &random))")
        }
        if Bool.random(using: &random) {
            options.append("$skip=\(Int.random(in: 0..<8, using: &random))")
        }
        if Bool.random(using: &random) {
            options.append("$count=true")
        }
        let filters = [
            "K eq 1", "K lt 3", "T gt 'A'", "T eq 'a'", "contains(T,'a') and K gt 0", "length(T) gt 1", "T ne null",
            "1 div (K sub 3) le 1", "K eq 9",
        ]
        if Bool.random(using: &random), let filter = filters.randomElement(using: &random) {
            options.append("$filter=" + filter)
        }
        return options.joined(separator: "&")
    }

    @Test(arguments: [BackEnd.plain, .cipher], [IndexType.string, .json1, .fullText])
    func `the rows are those of a sort`(backEnd: BackEnd, type: IndexType) throws {
        try backEnd.skipIfMissing()
        let seed = UInt64.random(in: 0 ... .max)
        print("IndexOrderTests \(backEnd.rawValue) \(type.rawValue): seed \(seed)")
        var random = SeededRandom(seed: seed)
        let folder = try TemporaryFolder()
        let store = try Self.store(folder, backEnd)
        for round in 0..<6 {
            let others: [IndexSpec] = round % 2 == 0 ? [.integer("K")] : []
            try store.registerSoup("S", indexSpecs: [IndexSpec(path: "T", type: type)] + others)
            let isDoubtful = round % 3 == 2
            let count = Int.random(in: 0..<600, using: &random)
            try store.upsert((0..<count).map { _ in Self.document(&random, isDoubtful: isDoubtful) }, into: "S")
            for _ in 0..<10 {
                let text = Self.query(&random)
                let pageSize = Int.random(in: 8...60, using: &random)
                let found = Result { try Self.walk(SoupQuery(text, pageSize: pageSize), in: store) }
                var sorting = try SoupQuery(text, pageSize: pageSize)
                sorting.usesIndexes = false
                let expected = Result { try Self.walk(sorting, in: store) }
                #expect(
                    try Self.isSame(found, expected), "seed \(seed), round \(round), \(text), pages of \(pageSize)")
            }
            try store.removeSoup("S")
        }
    }

    private static func isSame(
        _ found: Result<(rows: [[UInt8]], count: Int64?), any Error>,
        _ expected: Result<(rows: [[UInt8]], count: Int64?), any Error>
    ) throws -> Bool {
        switch (found, expected) {
        case (.success(let found), .success(let expected)):
            return found.rows == expected.rows && found.count == expected.count
        case (.failure(let found), .failure(let expected)):
            return (found as? Fault)?.code == (expected as? Fault)?.code
        default: return false
        }
    }

    // MARK: - When the index is taken

    @Test(arguments: [IndexType.string, .json1, .fullText])
    func `the statement walks along the index and sorts nothing`(type: IndexType) throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder)
        try store.registerSoup("S", indexSpecs: [IndexSpec(path: "T", type: type)])
        try store.upsert([["T": "b"], ["T": "2026-12-01T10:00:00Z"], [:]], into: "S")
        let plan = try store.explain(odata: SoupQuery("$orderby=T desc"), in: "S")
        #expect(plan.order == .index)
        #expect(plan.uses.map(\.path) == ["T"])
    }

    @Test(arguments: ["5", "true", "[1]", "{\"a\":1}"])
    func `one value that is not a text makes the query sort`(value: String) throws {
        for type in [IndexType.string, .json1] {
            let folder = try TemporaryFolder()
            let store = try Self.store(folder)
            try store.registerSoup("S", indexSpecs: [IndexSpec(path: "T", type: type)])
            try store.upsert([["T": "b"], ["T": "a"]], into: "S")
            #expect(try Self.order("$orderby=T", in: store) == .index)
            try store.upsert([Array(#"{"T":\#(value)}"#.utf8)], into: "S")
            #expect(try Self.order("$orderby=T", in: store) == .sort)
        }
    }

    @Test func `what an index cannot order is sorted`() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder, fullTextIndexes: false)
        try store.registerSoup("S", indexSpecs: [.string("T"), .integer("N"), .fullText("F")])
        try store.upsert([["T": "b", "N": 1, "F": "x"]], into: "S")
        for text in [
            "N", "F", "Other", "T,N", "tolower(T)", "T&$compute=N add 1 as M", "T&$filter=contains(T,'a')&$top=1",
        ] {
            #expect(try Self.order("$orderby=" + text, in: store) == .sort, "\(text)")
        }
        for text in [
            "T", "_soupEntryId desc", "_soupLastModifiedDate", "T&$filter=N add 1 ne 7", "T&$filter=Other eq 1",
        ] {
            let isLimited = text.contains("filter")
            #expect(try Self.order("$orderby=" + text, in: store) == (isLimited ? .sort : .index), "\(text)")
        }
        #expect(try Self.order("$orderby=T&$top=5&$filter=Other eq 1", in: store) == .index)
        #expect(try Self.order("$orderby=T&$top=5&$filter=Other eq 1&$count=true", in: store) == .sort)
        #expect(try Self.order("$orderby=T&$top=5&$filter=N add 1 ne 7", in: store) == .sort)
    }

    // MARK: - Cursors

    @Test func `a cursor keeps the order of its first page`() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder)
        try store.registerSoup("S", indexSpecs: [.string("T")])
        try store.upsert([["T": "d"], ["T": "c"], ["T": "b"], ["T": "a"]], into: "S")
        var cursor = try store.query(odata: SoupQuery("$orderby=T&$count=true", pageSize: 2), in: "S")
        #expect(cursor.count == 4)
        try store.remove(ids: [2], from: "S")
        try store.upsert([["T": "bb"]], into: "S")
        #expect(try cursor.next())
        #expect(try cursor.page.map { try JSONValue(parsing: $0)["T"]?.string } == ["d"])
        #expect(try !cursor.next())
    }

    @Test func `a filter that keeps few of the first rows is answered by a sort`() throws {
        let folder = try TemporaryFolder()
        let store = try Self.store(folder)
        try store.registerSoup("S", indexSpecs: [.string("T")])
        let rows = (0..<2_000).map { number -> JSONValue in
            ["T": .string("t\(20_000 - number)"), "Last": .bool(number < 3)]
        }
        try store.upsert(rows, into: "S")
        let cursor = try store.query(odata: SoupQuery("$filter=Last&$orderby=T&$top=2"), in: "S")
        #expect(try cursor.page.map { try JSONValue(parsing: $0)["T"]?.string } == ["t19998", "t19999"])
    }
}
