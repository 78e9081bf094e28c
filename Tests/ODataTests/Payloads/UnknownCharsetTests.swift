import OData
import Soups
import Testing

/// When a reader refuses a body in a charset that it does not know.
struct UnknownCharsetTests {
    private static let type = "application/json;charset=koi8-r"

    private func reader() -> ODataPayloadReader {
        ODataPayloadReader(options: PayloadOptions(version: .v4, contentType: ContentType(Self.type)))
    }

    @Test func `the first bytes of a body are enough`() throws {
        var reader = reader()
        let fault = #expect(throws: Fault.self) {
            try reader.append(Array("{\"value\":[".utf8))
        }
        #expect(fault?.code == .unsupported)
        #expect(fault?.offset == 0)
    }

    @Test func `a body of fewer bytes is refused at its end`() throws {
        var reader = reader()
        try reader.append(Array("{}".utf8))
        let fault = #expect(throws: Fault.self) {
            try reader.finish()
        }
        #expect(fault?.code == .unsupported)
    }

    @Test func `a mark of another encoding counts before the name`() throws {
        var reader = reader()
        let body: [UInt8] = [0xEF, 0xBB, 0xBF] + Array("{\"value\":[]}".utf8)
        for byte in body {
            try reader.append([byte])
        }
        try reader.finish()
        guard case .end(.feed(let feed)) = try reader.next() else {
            Issue.record("not a feed")
            return
        }
        #expect(feed.entries.isEmpty)
    }
}
