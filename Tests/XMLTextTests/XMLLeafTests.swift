import TestSupport
import Testing
import XMLText

/// Reading elements together with their text and skipping white space must give the same document as reading all
/// tokens.
struct XMLLeafTests {
    @Test func `leaves hold the same texts and errors`() {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var mutator = Mutator(seed: seed)
        for document in Mutator.seeds + (0..<4_000).map({ _ in mutator.document() }) {
            let plain = LeafLog.read(document, chunk: .max, byLeaves: false)
            for chunk in [Int.max, 1 + document.count / 3] {
                #expect(
                    LeafLog.read(document, chunk: chunk, byLeaves: true) == plain,
                    "seed \(seed): \(String(decoding: document, as: UTF8.self))")
            }
        }
    }

    @Test func `a leaf is text and nothing else`() throws {
        func leaf(_ text: String) throws -> String? {
            var tokenizer = XMLTokenizer()
            tokenizer.append(Array(text.utf8))
            _ = try tokenizer.next()
            return tokenizer.readLeaf().map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try leaf("<a>b\u{E9}\nc</a>") == "b\u{E9}\nc")
        #expect(try leaf("<a></a>") == "")
        #expect(try leaf("<a/>") == "")
        for other in [
            "<a>b<c/></a>", "<a>b&amp;</a>", "<a>b\r\n</a>", "<a><![CDATA[b]]></a>", "<a>b", "<a>b</a", "<a>b</c>",
            "<a>b]</a>",
        ] {
            #expect(try leaf(other) == nil, "\(other)")
        }
    }
}
