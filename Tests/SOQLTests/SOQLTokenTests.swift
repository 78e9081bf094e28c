import SOQL
import Soups
import TestSupport
import Testing

@Suite struct SOQLTokenTests {
    /// The table of tokens, joined by `#`.
    @Test(arguments: [
        ("hello world", "hello# #world"),
        (
            "hello world: my name is   James    Bond",
            "hello# #world:# #my# #name# #is#   #James#    #Bond"
        ),
        ("hello order by world", "hello# #order by# #world"),
        ("hello group by world", "hello# #group by# #world"),
        ("hello something by world", "hello# #something# #by# #world"),
        (
            "hello something  by world order  by abc group    by def order",
            "hello# #something#  #by# #world# #order by# #abc# #group by# #def# #order"
        ),
        ("hello 'my world'", "hello# #'my world'"),
        (#"hello 'my world\''"#, #"hello# #'my world\''"#),
        ("hello (this is a group)", "hello# #(this is a group)"),
        ("hello (a or (b and c) or d),(e or f)", "hello# #(a or (b and c) or d)#,#(e or f)"),
        ("hello (this is a 'group')", "hello# #(this is a 'group')"),
        ("hello (a or (b and 'the name of c') or d)", "hello# #(a or (b and 'the name of c') or d)"),
        ("hello 'oh oh ( ) ( )))'", "hello# #'oh oh ( ) ( )))'"),
        ("", ""),
        ("(a)(b)c'd'", "(a)#(b)#c#'d'"),
        ("a\tOrder\nBY b", "a#\t#Order BY# #b"),
        (#"'a\\' b"#, #"'a\\'# #b"#),
        (" \u{c}\r\n", " \u{c}\r\n"),
        ("order bye", "order# #bye"),
        ("border by", "border# #by"),
        ("order by'x'", "order by#'x'"),
        ("order order by by", "order# #order by# #by"),
        ("order(by)", "order#(by)"),
        (#"'\é' é"#, #"'\é'# #é"#),
    ])
    func `texts split into tokens`(text: String, joined: String) throws {
        let tokens = try SOQLToken.tokens(of: text)
        #expect(tokens.map(\.text).joined(separator: "#") == joined)
        #expect(tokens.allSatisfy { !$0.text.isEmpty })
    }

    @Test func `tokens have their kind and offset`() throws {
        let tokens = try SOQLToken.tokens(of: "é 'b' (c)Group \t by d")
        #expect(tokens.map(\.kind) == [.word, .blanks, .quoted, .blanks, .group, .groupBy, .blanks, .word])
        #expect(tokens.map(\.offset) == [0, 2, 3, 6, 7, 10, 20, 21])
        #expect(tokens[5].text == "Group by")
    }

    @Test(arguments: [
        ("a 'b", 2), ("a (b", 2), ("a (b (c) d", 2), ("((", 0), ("a (b 'c", 5), ("a )b", 2), ("a)", 1), ("(a))", 3),
        (#"'a\'"#, 0), (#"'a\"#, 0), ("é 'b", 3),
    ])
    func `open and stray marks are faults at their offset`(text: String, offset: Int) {
        let fault = #expect(throws: Fault.self) { try SOQLToken.tokens(of: text) }
        #expect(fault?.code == .invalidSOQL)
        #expect(fault?.offset == offset)
    }

    @Test func `texts longer than a mebibyte are refused`() throws {
        let longest = String(repeating: "a", count: 1 << 20)
        #expect(try SOQLToken.tokens(of: longest).count == 1)
        let fault = #expect(throws: Fault.self) { try SOQLToken.tokens(of: longest + "a") }
        #expect(fault?.code == .limitExceeded)
    }

    @Test func `tokens joined are the text but for blanks in pairs`() throws {
        var random = SeededRandom(seed: 24)
        let pieces = [" ", "\t", "a", "or", "order", "group", "by", "'x y'", #"'\''"#, "(a (b) 'c)')", ",", "é", #"\"#]
        for _ in 0..<2_000 {
            let text = (0..<12).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }.joined()
            let tokens = try SOQLToken.tokens(of: text)
            let ends = tokens.dropFirst().map(\.offset) + [text.utf8.count]
            #expect(tokens.first?.offset == 0)
            for (token, end) in zip(tokens, ends) {
                let written = text.utf8.dropFirst(token.offset).prefix(end - token.offset)
                let isPair = token.kind == .orderBy || token.kind == .groupBy
                let words = written.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }.joined(
                    separator: " ".utf8)
                #expect(Array(token.text.utf8) == (isPair ? Array(words) : Array(written)), "seed 24: \(text)")
            }
        }
    }
}
