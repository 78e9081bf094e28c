import TestSupport
import Testing
import XMLText

struct XMLStreamingTests {
    static let sample = Array(
        """
        <?xml version="1.0" encoding="utf-8"?>\r
        <f:feed xmlns:f="http://www.w3.org/2005/Atom" xmlns='d' a='1&#10;2'>
          <!-- a comment — with signs -->
          <?target some data?>
          <entry x="äöü &amp; ]]&gt;"><name>Zürich</name><empty/><cdata><![CDATA[<&]] ]]]>]]&gt;]</cdata>line\r\nbreak&lt;</entry>
        </f:feed>

        """.utf8)

    @Test func `the size of the pieces does not matter`() throws {
        let whole = try EventLog.read(Self.sample)
        for chunk in 1...70 {
            #expect(try EventLog.read(Self.sample, chunk: chunk) == whole, "\(chunk)")
        }
    }

    @Test func `every prefix is truncated until the root is closed`() {
        let end = Self.sample.count - 2
        for count in 0..<end {
            let error = EventLog.error(Array(Self.sample[..<count]))
            #expect(error?.code == .truncated, "\(count): \(String(describing: error))")
            #expect(error?.offset == count, "\(count)")
        }
        #expect(EventLog.error(Array(Self.sample[..<(end + 1)])) == nil)
    }

    @Test func `deleting one byte never changes the reading by the size of the pieces`() {
        for index in Self.sample.indices {
            var document = Self.sample
            document.remove(at: index)
            let whole = Result { () throws(XMLError) in try EventLog.read(document) }
            let pieces = Result { () throws(XMLError) in try EventLog.read(document, chunk: 3) }
            #expect(whole == pieces, "\(index)")
        }
    }

    @Test func `a long token in small pieces costs linear time`() throws {
        let value = String(repeating: "x", count: 300_000)
        let document = Array("<a b='\(value)'/>".utf8)
        var count = 0
        let elapsed = try ThreadTime.measure { count = try EventLog.read(document, chunk: 16).count }
        #expect(count == value.utf8.count + 9)
        #expect(elapsed < .seconds(20), "\(elapsed)")
    }

    @Test func `tokens come as soon as their bytes are there`() throws {
        var tokenizer = XMLTokenizer()
        tokenizer.append(Array("<a><b>te".utf8))
        #expect(try tokenizer.next() == .startElement)
        #expect(try tokenizer.next() == .startElement)
        #expect(try tokenizer.next() == .text)
        #expect(Array(tokenizer.text) == Array("te".utf8))
        #expect(try tokenizer.next() == .needsInput)
        tokenizer.append(Array("xt</b".utf8))
        #expect(try tokenizer.next() == .text)
        #expect(try tokenizer.next() == .needsInput)
        tokenizer.append(Array("></a>".utf8))
        #expect(try tokenizer.next() == .endElement)
        #expect(try tokenizer.next() == .endElement)
        #expect(try tokenizer.next() == .needsInput)
        tokenizer.finish()
        #expect(try tokenizer.next() == .endOfDocument)
    }
}
