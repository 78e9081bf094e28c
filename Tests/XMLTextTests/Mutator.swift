import TestSupport
import XMLText

/// Generates documents that differ in a few bytes from well-formed ones, and knows where the tokenizer and expat may
/// differ.
struct Mutator {
    private var random: SeededRandom

    init(seed: UInt64) { random = SeededRandom(seed: seed) }

    static let seeds: [[UInt8]] = [
        """
        <?xml version="1.0" encoding="utf-8" standalone="yes"?>
        <feed xml:base="http://h/s/" xmlns="http://www.w3.org/2005/Atom" xmlns:d="http://h/d" xmlns:m='http://h/m'><!-- c -->
        <entry m:etag="W/&quot;1&quot;"><id>x</id><title/><p:a xmlns:p="u" p:b = 'c&#10;&amp;' /><m:properties><d:A m:type="Edm.Int32">1</d:A>
        <d:B>t\u{E9}x]t &lt; <![CDATA[a]]b<&]]> \u{20AC}\u{10348}</d:B></m:properties></entry><?pi some data?></feed>
        """,
        "<a xmlns:b='u' b:c='1' c='2'>x<b:a/>\r\ny\rz<![CDATA[]]>&#x41;</a><!--e--><?f?>\n",
        "<?xml version='1.0' encoding='iso-8859-1' ?><\u{E9}l\u{E9}ment \u{B7}='' a.b-c_d=\"'\">t</\u{E9}l\u{E9}ment >",
        "<r><x/><x></x><y z=''/>&quot;&apos;&gt;</r>",
    ].map { Array($0.utf8) }

    private static let pieces: [[UInt8]] =
        [
            "<", ">", "/", "&", ";", "'", "\"", "=", " ", "\n", "\r", "\t", ":", "!", "?", "-", "--", "]", "]]>",
            "<![CDATA[", "<!--", "-->", "<?", "?>", "&#", "&#x",
            "&amp;", "xmlns", "xmlns:q='v'", "xml", "\u{0}", "\u{1}", "\u{7F}", "\u{85}", "\u{FFFD}", "<!DOCTYPE a>",
            "1", "a", "p:", "</a>", "<a>", "encoding",
        ].map { Array($0.utf8) } + [
            [0xC3], [0xFF], [0xE2, 0x82], [0xEF, 0xBF, 0xBE], [0xED, 0xA0, 0x80], [0xFE], [0xC0, 0x80],
        ]

    mutating func document() -> [UInt8] {
        var bytes = Self.seeds[Int.random(in: 0..<Self.seeds.count, using: &random)]
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            let index = Int.random(in: 0...bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                if index < bytes.count {
                    bytes.remove(at: index)
                }
            case 1:
                bytes.insert(contentsOf: Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)], at: index)
            case 2:
                if index < bytes.count {
                    bytes[index] = UInt8.random(in: 0...255, using: &random)
                }
            case 3:
                let end = min(bytes.count, index + Int.random(in: 1...12, using: &random))
                let piece = Array(bytes[index..<end])
                bytes.insert(contentsOf: piece, at: Int.random(in: 0...bytes.count, using: &random))
            default:
                let end = min(bytes.count, index + Int.random(in: 1...12, using: &random))
                bytes.removeSubrange(index..<end)
            }
        }
        return bytes
    }

    /// The reason why the two may differ on this document; nil if they must not.
    static func reason(_ document: [UInt8], error: XMLError?, expat: String) -> String? {
        func has(_ text: String) -> Bool {
            let wanted = Array(text.utf8)
            return document.indices.contains { document[$0...].starts(with: wanted) }
        }
        if error?.code == .doctypeForbidden {
            return "a DOCTYPE is refused here"
        }
        if error?.code == .encoding || document.starts(with: [0xEF, 0xBB, 0xBF]) {
            return "a declared encoding that contradicts the bytes is refused here"
        }
        if has("utf8") {
            return "expat knows UTF-8 by its registered name only"
        }
        if has("<?xml"), error?.code == .syntax, (error?.offset ?? 99) < 20, expat.hasPrefix("ok") {
            return "expat takes any text as the version"
        }
        let parts = expat.split(separator: " ").compactMap { Int($0) }
        if error == nil, parts.count == 2, parts[0] == 4, parts[1] < document.count {
            // The fifth edition of XML 1.0 allows nearly all letters in names; expat uses the lists of the fourth
            // edition.
            let text = String(decoding: document[parts[1]...].prefix(4), as: UTF8.self)
            if let scalar = text.unicodeScalars.first?.value, scalar >= 0x80 {
                return "a name of the fifth edition"
            }
        }
        return nil
    }
}
