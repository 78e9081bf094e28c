import OData
import Soups
import Testing

/// Annotations of a feed, which stand next to its entries.
struct FeedAnnotationTests {
    private func annotations(of text: String) throws -> [ODataValue.Member] {
        let payload = try ODataPayload(reading: Array(text.utf8), options: PayloadOptions(version: .v4))
        guard case .feed(let feed) = payload else {
            Issue.record("not a feed")
            return []
        }
        return feed.annotations
    }

    @Test func `annotations of a feed keep their values`() throws {
        let found = try annotations(
            of: "{\"@my.number\":5,\"@my.flag\":true,\"value\":[{\"ID\":1}],"
                + "\"@my.text\":\"a\",\"@my.list\":[1,\"b\"],\"@my.null\":null}")
        #expect(found.map(\.name) == ["my.number", "my.flag", "my.text", "my.list", "my.null"])
        #expect(
            found.map(\.value) == [
                .int32(5), .boolean(true), .string("a"), .collection([.int32(1), .string("b")]), .null,
            ])
    }

    @Test func `annotations are kept once when the context URL comes late`() throws {
        let found = try annotations(
            of: "{\"@my.number\":5,\"value\":[{\"name\":\"A\",\"url\":\"a\"}],"
                + "\"@odata.context\":\"http://h/$metadata#As\"}")
        #expect(found.map(\.value) == [.int32(5)])
    }

    @Test func `a number that is out of range has an offset`() throws {
        let fault = #expect(throws: Fault.self) { try annotations(of: "{\"@my.number\": 1e999,\"value\":[]}") }
        #expect(fault?.code == .invalidLiteral)
        #expect(fault?.offset == 15)
    }

    @Test func `the version of XML with a leading blank is guessed`() {
        let body = " <feed xmlns:m=\"http://schemas.microsoft.com/ado/2007/08/dataservices/metadata\"/>"
        #expect(PayloadVersion.guess(Array(body.utf8)) == .v2)
    }
}
