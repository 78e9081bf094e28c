import Testing
import XMLText

struct XMLTokenizerTests {
    @Test func `elements attributes and text come in order`() throws {
        let log = try EventLog.text("<a x='1' y=\"2\"><b/>t<!--c--><?p  q?></a>")
        #expect(log == "Sa\nAx=1\nAy=2\nSb\nEb\nTt\nCc\nPp q\nEa")
    }

    @Test func `text is joined over references sections and line breaks`() throws {
        #expect(try EventLog.text("<a>a<![CDATA[b]]>&amp;c&#xE9;&#13;\r\n\rz</a>") == "Sa\nTab&c\u{E9}\r\n\nz\nEa")
        #expect(try EventLog.text("<a><![CDATA[]]]]>]]&gt;<![CDATA[<&]]></a>") == "Sa\nT]]]]><&\nEa")
    }

    @Test func `attribute values are normalised`() throws {
        #expect(try EventLog.text("<a x='1\t2\r\n3\r4\n5&#10;6&#9;7&lt;&quot;'/>") == "Sa\nAx=1 2 3 4 5\n6\t7<\"\nEa")
        #expect(try EventLog.text("<a\n x\n =\n '1'\t/>") == "Sa\nAx=1\nEa")
    }

    @Test func `every offset is that of the byte at fault`() {
        let cases: [(String, XMLError.Code, Int)] = [
            ("<a></b>", .syntax, 3), ("<a>&x;</a>", .syntax, 3), ("<a>\u{1}</a>", .invalidText, 3),
            ("<a>é]]></a>", .syntax, 5),
            ("<a b='1' b='2'/>", .syntax, 9), ("<a b='1'c='2'/>", .syntax, 8), ("<a b='<'/>", .syntax, 6),
            ("<a b=1/>", .syntax, 5),
            ("<p:a/>", .namespace, 1), ("<a/><b/>", .syntax, 4), ("<a/>t", .syntax, 4), ("t<a/>", .syntax, 0),
            ("<a>&#0;</a>", .invalidText, 3),
            ("<a>&#xD800;</a>", .invalidText, 3), ("<!DOCTYPE a><a/>", .doctypeForbidden, 0),
            (" <!DOCTYPE a><a/>", .doctypeForbidden, 1),
            ("<a><!-- -- --></a>", .syntax, 8), ("<a", .truncated, 2), ("", .truncated, 0), ("<a>x", .truncated, 4),
            ("<1a/>", .syntax, 1),
            ("<a:b:c xmlns:a='u'/>", .namespace, 4), (" <?xml version='1.0'?><a/>", .syntax, 1), ("</a>", .syntax, 0),
            ("<a/", .truncated, 3),
            ("<a><b></a>", .syntax, 6), ("<a b='&#65'/>", .syntax, 6), ("<a><![CDATA[x</a>", .truncated, 17),
            ("<a/><![CDATA[]]>", .syntax, 4),
        ]
        for (document, code, offset) in cases {
            let error = EventLog.error(document)
            #expect(error?.code == code && error?.offset == offset, "\(document): \(String(describing: error))")
        }
    }

    @Test func `limits are errors of their own`() {
        var limits = XMLLimits()
        limits.depth = 3
        limits.attributes = 2
        limits.nameBytes = 5
        limits.attributeBytes = 4
        limits.textBytes = 6
        limits.totalBytes = 200
        for document in [
            "<a><a><a><a/></a></a></a>", "<a b='' c='' d=''/>", "<abcdef/>", "<a b='12345'/>", "<a>1234567</a>",
            "<a>" + String(repeating: "<b/>", count: 100) + "</a>", "<a>123<![CDATA[456]]>7</a>",
            "<a><!--1234567--></a>",
        ] {
            #expect(EventLog.error(Array(document.utf8), limits: limits)?.code == .limitExceeded, "\(document)")
        }
        for document in ["<a><a><a/></a></a>", "<a b='' c='1234'/>", "<abcde/>", "<a>123456</a>"] {
            #expect(EventLog.error(Array(document.utf8), limits: limits) == nil, "\(document)")
        }
    }

    @Test func `names of every kind of letter are read`() throws {
        #expect(
            try EventLog.text("<\u{416}\u{438}-1.\u{B7} \u{4E2D}='1'/>")
                == "S\u{416}\u{438}-1.\u{B7}\nA\u{4E2D}=1\nE\u{416}\u{438}-1.\u{B7}")
        for name in ["\u{D7}", "\u{F7}", "\u{37E}", "\u{2000}", "\u{B7}a", "-a", "a\u{2190}", "\u{FFFE}"] {
            #expect(EventLog.error("<\(name)/>") != nil, "\(name.unicodeScalars.map(\.value))")
        }
    }

    @Test func `an error stays`() throws {
        var tokenizer = XMLTokenizer()
        tokenizer.append(Array("<a></b>".utf8))
        #expect(try tokenizer.next() == .startElement)
        for _ in 0..<3 {
            #expect(throws: XMLError.self) { _ = try tokenizer.next() }
        }
    }

    @Test func `long names are compared whole`() throws {
        let name = "abcdefghijklmnopqrstuvwxyz"
        #expect(try EventLog.text("<\(name)1><\(name)2/></\(name)1>") == "S\(name)1\nS\(name)2\nE\(name)2\nE\(name)1")
        #expect(EventLog.error("<\(name)1></\(name)2>")?.code == .syntax)
    }
}
