import SQLiteAccess
import SmartSQL
import Soups
import TestSupport
import Testing

@Suite struct MatchExpressionTests {
    @Test(arguments: [
        ("black", "\"black\""), ("black cat", "\"black\" AND \"cat\""), ("a OR b NOT c", "\"a\" OR (\"b\" NOT \"c\")"),
        ("a b OR c AND d", "(\"a\" AND \"b\") OR (\"c\" AND \"d\")"), ("a NOT b NOT c", "\"a\" NOT (\"b\" OR \"c\")"),
        ("a AND NOT b AND c", "(\"a\" NOT \"b\") AND \"c\""), ("b*", "\"b\"*"), ("\"dark  red\"*", "\"dark  red\"*"),
        ("\"say \"\"x\"\"\"", "\"say \"\"x\"\"\""),
        ("{s:p}:a", "{s:p}:\"a\""), ("{s:p} : (a OR {s:q}:b)", "{s:p}:\"a\" OR {s:q}:\"b\""),
        ("NEAR(a \"b c\", 3) d", "NEAR(\"a\" \"b c\", 3) AND \"d\""),
        ("near and or not", "\"near\" AND \"and\" AND \"or\" AND \"not\""), ("tom & jerry", "\"tom\" AND \"jerry\""),
        ("NEAR", "\"NEAR\""), ("a,b", "\"a,b\""),
        ("eva-x o'neil c++ a:b ^d", "\"eva-x\" AND \"o'neil\" AND \"c++\" AND \"a:b\" AND \"^d\""),
        ("(((a)))", "\"a\""), ("été*", "\"été\"*"),
    ]) func `the tree is as the grammar says`(_ text: String, _ tree: String) throws {
        #expect(try MatchExpression(text).description == tree)
    }

    @Test(arguments: [
        ("", 0), ("  ", 2), ("a AND", 5), ("AND a", 0), ("OR", 0), ("NOT a", 0), ("a OR NOT b", 5), ("a AND AND b", 6),
        ("(a", 0), ("a)", 1), ("()", 1), ("a ()", 3),
        ("\"a", 0), ("a \"b", 2), ("\"\"", 0), ("*", 0), ("a *", 2), ("{s:p}", 0), ("{s:p}:", 6), ("{s}:a", 0),
        ("{:p}:a", 0), ("{s:}:a", 0), ("{s:p:q}:a", 0),
        ("{s:p a", 0), ("{s:p}:{s:q}:a", 6), ("{s:p}:AND", 6), ("NEAR()", 5), ("NEAR(a, x)", 8), ("NEAR(a", 6),
        ("NEAR(a, 1000000)", 8), ("NEAR(a OR b)", 7), ("a\0b", 1),
        ("é NOT", 6),
    ]) func `what does not parse has its place`(_ text: String, _ offset: Int) {
        let fault = #expect(throws: Fault.self) { try MatchExpression(text) }
        #expect(fault?.code == .invalidMatchExpression)
        #expect(fault?.offset == offset, "\(fault.map(String.init(describing:)) ?? "")")
    }

    @Test(arguments: BackEnd.allCases) func `whatever parses is run by FTS5 at any depth allowed`(
        _ backEnd: BackEnd
    ) throws {
        try backEnd.skipIfMissing()
        let sample = try SampleSoup(backEnd)
        try sample.insert([SampleSoup.Entry(text: "a b c")])
        func nested(_ depth: Int, _ open: String, _ close: String) -> String {
            String(repeating: open, count: depth) + "a" + String(repeating: close, count: depth)
        }
        for (open, close) in [
            ("(", ")"), ("(b AND ", ")"), ("(b AND (c NOT ", "))"), ("(b NOT z NOT (", "))"),
            ("{people:text}:(b OR ", ")"), ("(", " NOT z NOT y)"),
        ] {
            let each = open.filter { $0 == "(" }.count
            #expect(throws: Never.self) { try sample.ids(.match(matchKey: nested(24 / each, open, close))) }
            let fault = #expect(throws: Fault.self) {
                try sample.ids(.match(matchKey: nested(24 / each + 1, open, close)))
            }
            #expect(fault?.code == .invalidMatchExpression)
        }
        for word in [" ", " AND ", " OR ", " NOT "] {
            #expect(throws: Never.self) {
                try sample.ids(.match(matchKey: Array(repeating: "a", count: 2_000).joined(separator: word)))
            }
            #expect(throws: Fault.self) {
                try sample.ids(.match(matchKey: Array(repeating: "a", count: 2_001).joined(separator: word)))
            }
        }
    }

    private static func entries(_ random: inout SeededRandom, count: Int) -> [SampleSoup.Entry] {
        let words = [
            "red", "blue", "fox", "den", "x1", "reed", "co", "op", "o", "and", "near", "not", "x", "b", "food",
        ]
        func text() -> String? {
            guard Int.random(in: 0..<5, using: &random) > 0 else { return nil }
            return (0..<Int.random(in: 0...7, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
                .joined(separator: [" ", "-", ", "].randomElement(using: &random) ?? " ")
        }
        return (0..<count).map { _ in SampleSoup.Entry(text: text(), more: text()) }
    }

    private func compare(_ backEnd: BackEnd, _ version: FullTextVersion, rounds: Int, seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let sample = try SampleSoup(backEnd, fullText: version)
        let entries = Self.entries(&random, count: 40)
        try sample.insert(entries)
        let tokens = entries.map {
            ["text": MatchModel.tokens($0.text ?? ""), "more": MatchModel.tokens($0.more ?? "")]
        }
        var hits = 0
        for round in 0..<rounds {
            let model = MatchModel.draw(&random, nearOfTwo: version == .fts4)
            let path = [nil, nil, "text", "more"].randomElement(using: &random) ?? nil
            let wanted = tokens.indices.filter { model.fits(tokens[$0], path: path) }.map { Int64($0 + 1) }
            let found = try sample.ids(.match(path: path, matchKey: model.text()))
            hits += found.count
            #expect(found == wanted, "seed \(seed), round \(round): \(path ?? "-") \(model.text())")
        }
        // Ensures that the queries find entries, so that empty results cannot pass.
        #expect(hits > rounds)
    }

    @Test(arguments: BackEnd.allCases) func `hits of FTS5 are those of a naive evaluator`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        try compare(backEnd, .fts5, rounds: 2_000, seed: backEnd == .plain ? 20 : backEnd == .cipher ? 22 : 23)
    }

    @Test(arguments: BackEnd.allCases) func `hits of FTS4 are the same on every library`(_ backEnd: BackEnd) throws {
        try backEnd.skipIfMissing()
        try compare(backEnd, .fts4, rounds: 700, seed: 21)
    }

    @Test func `paths of another soup or without full text are refused with their place`() throws {
        let soup = SampleSoup.registered()
        for (key, path, code, offset) in [
            ("a {others:text}:b", nil, Fault.Code.invalidMatchExpression, 2),
            ("{people:name}:b", nil, .pathNotIndexed, 0), ("a", "name", .pathNotIndexed, nil),
            ("a", "nothing", .pathNotIndexed, nil),
        ] as [(String, String?, Fault.Code, Int?)] {
            let fault = #expect(throws: Fault.self) { try PageQuery(.match(path: path, matchKey: key), soup: soup) }
            #expect(fault?.code == code)
            #expect(fault?.offset == offset)
        }
    }
}
