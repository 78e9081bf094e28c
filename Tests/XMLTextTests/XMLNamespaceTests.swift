import Testing
import XMLText

struct XMLNamespaceTests {
    @Test func `prefixes mean their namespace and nothing else`() throws {
        let one = try EventLog.text("<a:r xmlns:a='u' xmlns='d'><a:x a:y='1' y='2'/><z/></a:r>")
        let other = try EventLog.text("<r xmlns='u'><b:x xmlns:b='u' b:y='1' y='2'/><z xmlns='d'/></r>")
        #expect(one == other)
        #expect(one == "Su|r\nSu|x\nAu|y=1\nAy=2\nEu|x\nSd|z\nEd|z\nEu|r")
    }

    @Test func `a declaration ends with its element`() throws {
        #expect(
            try EventLog.text("<r xmlns='u'><a xmlns=''><b/></a><c/></r>") == "Su|r\nSa\nSb\nEb\nEa\nSu|c\nEu|c\nEu|r")
        #expect(EventLog.error("<r><a xmlns:p='u'/><p:b/></r>")?.code == .namespace)
    }

    @Test func `redeclared prefixes change meaning inside`() throws {
        #expect(
            try EventLog.text("<p:a xmlns:p='1'><p:a xmlns:p='2'/><p:a/></p:a>") == "S1|a\nS2|a\nE2|a\nS1|a\nE1|a\nE1|a"
        )
    }

    @Test func `the same expanded attribute twice is an error`() {
        #expect(EventLog.error("<a xmlns:p='u' xmlns:q='u' p:x='' q:x=''/>")?.code == .syntax)
        #expect(EventLog.error("<a xmlns:p='u' xmlns:q='v' p:x='' q:x='' x=''/>") == nil)
        let many = (0..<40).map { "a\($0)='' " }.joined()
        #expect(EventLog.error("<a \(many) a7=''/>")?.code == .syntax)
        #expect(EventLog.error("<a \(many)/>") == nil)
        #expect(EventLog.error("<a xmlns:p='u' xmlns:p='v'/>")?.code == .syntax)
    }

    @Test func `reserved prefixes keep their meaning`() throws {
        #expect(try EventLog.text("<a xml:base='b'/>") == "Sa\nAhttp://www.w3.org/XML/1998/namespace|base=b\nEa")
        #expect(EventLog.error("<a xmlns:xml='http://www.w3.org/XML/1998/namespace'/>") == nil)
        for declaration in [
            "xmlns:xml='u'", "xmlns:xmlns='u'", "xmlns:p='http://www.w3.org/XML/1998/namespace'",
            "xmlns='http://www.w3.org/2000/xmlns/'",
            "xmlns:p=''", "xmlns:p='http://www.w3.org/2000/xmlns/'",
        ] {
            #expect(EventLog.error("<a \(declaration)/>")?.code == .namespace, "\(declaration)")
        }
        #expect(EventLog.error("<xmlns:a/>")?.code == .namespace)
    }

    @Test func `names compare as integers`() throws {
        var tokenizer = XMLTokenizer()
        let entry = tokenizer.intern("entry", in: "http://www.w3.org/2005/Atom")
        tokenizer.append(Array("<x:entry xmlns:x='http://www.w3.org/2005/Atom'><entry/></x:entry>".utf8))
        tokenizer.finish()
        #expect(try tokenizer.next() == .startElement)
        #expect(tokenizer.name == entry)
        #expect(try tokenizer.next() == .startElement)
        #expect(tokenizer.name != entry)
        #expect(tokenizer.depth == 2)
    }

    @Test func `many declarations in scope are refused`() {
        var document = ""
        for level in 0..<3 {
            document += "<a " + (0..<100).map { "xmlns:p\(level)x\($0)='u\($0)' " }.joined() + ">"
        }
        #expect(EventLog.error(document)?.code == .limitExceeded)
    }
}
