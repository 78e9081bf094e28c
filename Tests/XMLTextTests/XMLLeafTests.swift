import TestSupport
import Testing
import XMLText

/// Elements that are read at once with their text, and white space that is passed over: the same document, said in fewer words.
struct XMLLeafTests {
    /// Writes down the elements and texts of a document; with `quickly` by leaves and without indentation.
    private static func log(_ document: [UInt8], quickly: Bool, chunk: Int) -> String {
        var tokenizer = XMLTokenizer()
        tokenizer.passesIndentation = quickly
        var lines: [String] = []
        var text: [UInt8] = []
        func flush() {
            let isIndentation = text.first == 0x0A && text.dropFirst().allSatisfy { $0 == 0x20 }
            if !text.isEmpty, !isIndentation { lines.append("T" + String(decoding: text, as: UTF8.self)) }
            text = []
        }
        var place = 0
        do throws(XMLError) {
            while true {
                switch try tokenizer.next() {
                case .needsInput:
                    if place < document.count {
                        let end = document.count - place <= chunk ? document.count : place + chunk
                        document[place..<end].withUnsafeBytes { tokenizer.append($0) }
                        place = end
                    } else {
                        tokenizer.finish()
                    }
                case .startElement:
                    flush()
                    let name = tokenizer.localName(of: tokenizer.name)
                    lines.append("S" + name + " \(tokenizer.offset)")
                    if quickly, let leaf = tokenizer.readLeaf() {
                        text = Array(leaf)
                        flush()
                        lines.append("E" + name)
                    }
                case .endElement:
                    flush()
                    lines.append("E" + tokenizer.localName(of: tokenizer.name))
                case .text: text += tokenizer.text
                case .comment, .processingInstruction: flush()
                case .endOfDocument: return lines.joined(separator: "\n")
                }
            }
        } catch {
            return "\(error.code.rawValue) at \(error.offset)"
        }
    }

    @Test func leavesHoldTheSameTextsAndErrors() {
        let seed = UInt64.random(in: 0...UInt64(UInt32.max))
        var mutator = Mutator(seed: seed)
        for document in Mutator.seeds + (0..<4_000).map({ _ in mutator.document() }) {
            let plain = Self.log(document, quickly: false, chunk: .max)
            for chunk in [Int.max, 1 + document.count / 3] {
                #expect(Self.log(document, quickly: true, chunk: chunk) == plain, "seed \(seed): \(String(decoding: document, as: UTF8.self))")
            }
        }
    }

    @Test func aLeafIsTextAndNothingElse() throws {
        func leaf(_ text: String) throws -> String? {
            var tokenizer = XMLTokenizer()
            tokenizer.append(Array(text.utf8))
            _ = try tokenizer.next()
            return tokenizer.readLeaf().map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(try leaf("<a>b\u{E9}\nc</a>") == "b\u{E9}\nc")
        #expect(try leaf("<a></a>") == "")
        #expect(try leaf("<a/>") == "")
        for other in ["<a>b<c/></a>", "<a>b&amp;</a>", "<a>b\r\n</a>", "<a><![CDATA[b]]></a>", "<a>b", "<a>b</a", "<a>b</c>", "<a>b]</a>"] {
            #expect(try leaf(other) == nil, "\(other)")
        }
    }
}
