import JSONText
import SQLiteAccess
import Soups
import TestSupport
import Testing

@testable import OfflineStore

/// Queries of a known shape.
@Suite
struct KnownQueryTests {
    private func store(_ setup: StoreFolder) throws -> SmartStore {
        let store = try setup.open()
        try store.registerSoup(
            "s", indexSpecs: [.string("t"), .integer("i"), .floating("f"), .json1("j"), .fullText("x")])
        let values = ["null", "1", "2", "10", "2.5", "\"1\"", "\"10\"", "\"a\"", "\"b\"", "true", "\"\"", "-3"]
        var random = SeededRandom(seed: 7)
        try store.upsert(
            (0..<80).map { _ in
                func value() -> String { values.randomElement(using: &random) ?? "null" }
                let word = ["red", "red fox", "fox"].randomElement(using: &random) ?? ""
                return "{\"t\":\(value()),\"i\":\(value()),\"f\":\(value()),\"j\":\(value()),\"x\":\"\(word)\"}".bytes
            }, into: "s")
        return store
    }

    private func known(_ store: SmartStore) -> Int { store.connections.gather(0) { $0 += $1.schema.queries.count } }

    @Test(arguments: BackEnd.allCases)
    func `answers are those of queries that are planned from the beginning`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try store(StoreFolder(backEnd))
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var random = SeededRandom(seed: seed)
        let keys: [QuerySpec.Key?] = [
            nil, 1, 2, 10, 2.5, "1", "10", "a", "b", "", true, -3, .number("92233720368547758080"),
        ]
        let paths = ["t", "i", "f", "j", "_soupEntryId", "_soupCreatedDate"]
        var mostKnown = 0
        for round in 0..<1500 {
            let path = paths.randomElement(using: &random) ?? "t"
            let kind = QuerySpec.Kind.allCases.filter { $0 != .smart }.randomElement(using: &random) ?? .all
            let words = ["red", "fox", "red AND fox", "\"red fox\"", "none", "r*"]
            func key() -> QuerySpec.Key? { keys.randomElement(using: &random) ?? nil }
            let spec = QuerySpec(
                kind: kind, indexPath: kind == .match ? [nil, "x"].randomElement(using: &random) ?? nil : path,
                matchKey: kind == .match ? .string(words.randomElement(using: &random) ?? "red") : key() ?? "a",
                beginKey: key(), endKey: key(),
                likeKey: .string(["a%", "%", "1%", "_", "b"].randomElement(using: &random) ?? "a"),
                orderPath: [nil, nil, path, "t", "j"].randomElement(using: &random) ?? nil,
                order: Bool.random(using: &random) ? .ascending : .descending,
                pageSize: Int.random(in: 1...30, using: &random),
                selectPaths: Int.random(in: 0..<4, using: &random) == 0 ? ["t", "_soupEntryId"] : nil)
            let cursor = try store.query(spec, soup: "s")
            // Inside a transaction nothing that is known is used.
            let wanted = try store.transaction { _ in try store.query(spec, soup: "s") }
            let note = Comment(rawValue: "seed \(seed), round \(round): \(spec)")
            #expect(cursor.currentPage.json == wanted.currentPage.json, note)
            #expect(cursor.hasNextPage == wanted.hasNextPage, note)
            #expect(try cursor.totalEntries == store.count(spec, soup: "s"), note)
            if wanted.hasNextPage {
                #expect(try cursor.moveToNextPage().json == wanted.moveToNextPage().json, note)
            }
            mostKnown = max(mostKnown, known(store))
        }
        #expect(mostKnown > 20 && mostKnown <= 64)
    }

    @Test(arguments: BackEnd.allCases)
    func `queries that differ only in their keys and page sizes are one shape`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try store(StoreFolder(backEnd))
        for key in ["a", "b", "1", "é", "e\u{301}"] {
            _ = try store.query(.exact(path: "t", matchKey: .string(key), pageSize: key.utf8.count), soup: "s")
        }
        #expect(known(store) == 1)
        _ = try store.query(.exact(path: "t", matchKey: 1), soup: "s")
        #expect(known(store) == 1)
        _ = try store.query(.exact(path: "t", matchKey: "a", order: .descending), soup: "s")
        _ = try store.query(.range(path: "t", from: "a"), soup: "s")
        _ = try store.query(.range(path: "t", through: "a"), soup: "s")
        _ = try store.query(.range(path: "t", from: "a", through: "b"), soup: "s")
        #expect(known(store) == 5)
        // Patterns are one shape if they have as many ranges of the index; the sign before the parameter keeps SQLite
        // from planning again for each.
        for pattern in ["a%", "B%", "%a", "_", "1%", "2%", "%"] {
            _ = try store.query(.like(path: "t", likeKey: .init(stringLiteral: pattern)), soup: "s")
        }
        #expect(known(store) == 8)
        #expect(
            faultCode { _ = try store.query(.exact(path: "t", matchKey: "a", pageSize: 0), soup: "s") }
                == .invalidPageSize)
        #expect(faultCode { _ = try store.query(.exact(path: "t", matchKey: "a"), soup: "none") } == .soupNotFound)
    }

    @Test(arguments: BackEnd.allCases)
    func `texts over json1 that spell numbers are shapes of their own, in both orders`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try store(StoreFolder(backEnd))
        for key in ["a", "b", "1", "10", "2.5"] {
            _ = try store.query(.exact(path: "j", matchKey: .string(key)), soup: "s")
        }
        #expect(known(store) == 2)
        for order in [SortOrder.ascending, .descending] {
            for key in ["1", "10", "a", "2"] {
                let specs: [QuerySpec] = [
                    .exact(path: "j", matchKey: .string(key), orderPath: "j", order: order, pageSize: 3),
                    .range(path: "j", from: .string(key), orderPath: "j", order: order, pageSize: 3),
                ]
                for spec in specs {
                    let page = try store.query(spec, soup: "s").currentPage.json
                    #expect(try page == store.transaction { _ in try store.query(spec, soup: "s").currentPage.json })
                }
            }
        }
        #expect(known(store) == 10)
    }

    @Test(arguments: BackEnd.allCases)
    func `a page of two statements is of one state while another store writes`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try store(setup)
        let spec = QuerySpec.exact(path: "j", matchKey: "1", orderPath: "j", pageSize: 1000)
        let counts = try (0..<2).map { _ in try store.query(spec, soup: "s").currentPage.count }
        #expect(counts[0] == counts[1])
        let other = try setup.open()
        try other.upsert([#"{"j":"1"}"#.bytes, #"{"j":1}"#.bytes], into: "s")
        #expect(try store.query(spec, soup: "s").currentPage.count == counts[0] + 2)
    }

    @Test(arguments: BackEnd.allCases)
    func `a schema that another store has changed is noticed`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try store(setup)
        let other = try setup.open()
        let spec = QuerySpec.exact(path: "t", matchKey: "a", pageSize: 100)
        func ids() throws -> [Int64] {
            try store.query(spec, soup: "s").currentPage.entries.map {
                try JSONValue(parsing: Array($0))["_soupEntryId"]?.int64 ?? 0
            }
        }
        let before = try ids()
        #expect(try !before.isEmpty && ids() == before)
        // The columns change their numbers.
        try other.alterSoup("s", indexSpecs: [.integer("i"), .json1("j"), .string("t")])
        #expect(try ids() == before)
        try other.alterSoup("s", indexSpecs: [.string("x"), .string("t")])
        #expect(try ids() == before && ids() == before)
        #expect(known(store) == 1)
        try other.alterSoup("s", indexSpecs: [.string("x")])
        #expect(faultCode { _ = try store.query(spec, soup: "s") } == .pathNotIndexed)
        try other.removeSoup("s")
        #expect(faultCode { _ = try store.query(spec, soup: "s") } == .soupNotFound)
        try other.registerSoup("s", indexSpecs: [.string("t")])
        #expect(try ids().isEmpty)
        try other.upsert([#"{"t":"a"}"#.bytes], into: "s")
        #expect(try ids() == [1])
    }

    @Test(arguments: BackEnd.allCases)
    func `a query inside a transaction sees what the transaction wrote`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try store(StoreFolder(backEnd))
        let spec = QuerySpec.exact(path: "t", matchKey: "new")
        #expect(try store.query(spec, soup: "s").currentPage.count == 0)
        try store.transaction { _ in
            try store.upsert([#"{"t":"new"}"#.bytes], into: "s")
            #expect(try store.query(spec, soup: "s").currentPage.count == 1)
        }
        #expect(try store.query(spec, soup: "s").currentPage.count == 1)
    }

    @Test(arguments: BackEnd.allCases)
    func `matches of a known query are counted when asked for, whatever happened since its page`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try store(setup)
        let other = try setup.open()
        let specs: [QuerySpec] = [
            .match(path: "x", matchKey: "red", pageSize: 1), .match(matchKey: "red", pageSize: 1),
            .exact(path: "t", matchKey: "a", pageSize: 1), .range(path: "i", from: 1, pageSize: 1),
            .exact(path: "j", matchKey: "1", pageSize: 1), .like(path: "t", likeKey: "a%", pageSize: 1),
            .all(pageSize: 1),
        ]
        for spec in specs {
            let before = try store.count(spec, soup: "s")
            for _ in 0..<3 {
                #expect(try store.query(spec, soup: "s").totalEntries == before, "\(spec)")
            }
            let cursor = try store.query(spec, soup: "s")
            try other.upsert([#"{"t":"a","i":7,"j":"1","x":"red"}"#.bytes], into: "s")
            #expect(try cursor.totalEntries == before + 1, "\(spec)")
            let altered = try store.query(spec, soup: "s")
            // The columns change their numbers, and the full-text table is another one.
            try other.alterSoup(
                "s", indexSpecs: [.fullText("x"), .json1("j"), .string("t"), .floating("f"), .integer("i")])
            #expect(try altered.totalEntries == before + 1, "\(spec)")
            try other.alterSoup(
                "s", indexSpecs: [.string("t"), .integer("i"), .floating("f"), .json1("j"), .fullText("x")])
            // A store counts for the first time when the columns have other numbers already.
            let fresh = try setup.open()
            for _ in 0..<2 {
                _ = try fresh.query(spec, soup: "s")
            }
            let late = try fresh.query(spec, soup: "s")
            try other.alterSoup(
                "s", indexSpecs: [.integer("i"), .string("t"), .fullText("x"), .floating("f"), .json1("j")])
            #expect(try late.totalEntries == before + 1, "\(spec)")
            #expect(try fresh.query(spec, soup: "s").totalEntries == before + 1, "\(spec)")
            let gone = try store.query(spec, soup: "s")
            try other.alterSoup("s", indexSpecs: [.string("y")])
            if spec.kind == .all {
                #expect(try gone.totalEntries == before + 1)
            } else {
                #expect(faultCode { _ = try gone.totalEntries } == .pathNotIndexed, "\(spec)")
            }
            try other.alterSoup(
                "s", indexSpecs: [.string("t"), .integer("i"), .floating("f"), .json1("j"), .fullText("x")])
        }
    }

    @Test(arguments: BackEnd.allCases)
    func `match expressions that are equal characters and other bytes are two`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let setup = try StoreFolder(backEnd)
        let store = try setup.open()
        try store.registerSoup("s", indexSpecs: [.fullText("x")])
        try store.upsert([#"{"x":"one"}"#.bytes, "{\"x\":\"caf\u{e9}\"}".bytes], into: "s")
        for key in ["caf\u{e9}", "cafe\u{301}", "caf\u{e9}", "one", "one"] {
            let spec = QuerySpec.match(path: "x", matchKey: key, pageSize: 1)
            let cursor = try store.query(spec, soup: "s")
            let wanted = try store.transaction { _ in try store.query(spec, soup: "s") }
            #expect(cursor.currentPage.json == wanted.currentPage.json, "\(Array(key.utf8))")
            #expect(try cursor.totalEntries == wanted.totalEntries)
        }
        #expect(faultCode { _ = try store.query(.match(path: "x", matchKey: "one", pageSize: 0), soup: "s") } != nil)
    }

    @Test(arguments: BackEnd.allCases)
    func `a match query in another order is planned by its own number of matches`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        let store = try StoreFolder(backEnd).open()
        try store.registerSoup("s", indexSpecs: [.string("t"), .fullText("x")])
        try store.upsert(
            (0..<1_200).map { #"{"t":"\#($0 % 7)","x":"common\#($0 % 600 == 0 ? " rare" : "")"}"#.bytes }, into: "s")
        for word in ["common", "common", "rare", "common"] {
            let spec = QuerySpec.match(path: "x", matchKey: word, orderPath: "t")
            let cursor = try store.query(spec, soup: "s")
            #expect(try cursor.totalEntries == (word == "rare" ? 2 : 1_200))
            #expect(known(store) == 0)
        }
    }
}
