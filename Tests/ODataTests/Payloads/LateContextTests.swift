import OData
import Soups
import Testing

/// What a reader does with elements of `value` while it does not know the context URL.
struct LateContextTests {
    private static let document = "\"@odata.context\":\"http://h/svc/$metadata\""

    /// The number of entries that a reader returns before the body is complete.
    private func entries(in text: String) throws -> Int {
        var reader = ODataPayloadReader(options: PayloadOptions(version: .v4))
        try reader.append(Array(text.utf8))
        var count = 0
        while case .entry = try reader.next() {
            count += 1
        }
        return count
    }

    @Test func `entities without a context URL are returned while bytes arrive`() throws {
        #expect(try entries(in: "{\"value\":[{\"ID\":1},{\"ID\":2},{\"url\":\"a\"},") == 3)
        #expect(try entries(in: "{\"value\":[{\"url\":\"a\"},{\"url\":\"b\"},{\"url\":\"c\",\"ID\":1},") == 3)
        let pages = "{\"@odata.context\":\"http://h/svc/$metadata#Pages\",\"value\":[{\"url\":\"a\"},"
        #expect(try entries(in: pages) == 1)
    }

    @Test func `elements that may be of a service document are held back`() throws {
        #expect(try entries(in: "{\"value\":[{\"name\":\"A\",\"url\":\"a\"},") == 0)
    }

    @Test func `no more than a MiB is held back`() throws {
        let member = "{\"name\":\"\(String(repeating: "a", count: 1_000))\",\"url\":\"a\"},"
        let many = "{\"value\":[" + String(repeating: member, count: 1_100)
        #expect(try entries(in: many) == 1_100)
        let whole = many.dropLast() + "],\(Self.document)}"
        let fault = #expect(throws: Fault.self) {
            _ = try ODataPayload(reading: Array(whole.utf8), options: PayloadOptions(version: .v4))
        }
        #expect(fault?.code == .limitExceeded)
    }

    @Test func `a body may arrive byte by byte`() throws {
        let text = "{\"value\":[{\"name\":\"A\",\"url\":\"a\"}],\(Self.document)}"
        var reader = ODataPayloadReader(options: PayloadOptions(version: .v4))
        for byte in text.utf8 {
            try reader.append([byte])
            guard case .needsInput = try reader.next() else {
                Issue.record("a step came before the end")
                return
            }
        }
        try reader.finish()
        guard case .end(.service(let service)) = try reader.next() else {
            Issue.record("not a service document")
            return
        }
        #expect(service.sets.map(\.name) == ["A"])
        #expect(service.sets.map(\.url.resolved) == ["http://h/svc/a"])
    }
}
