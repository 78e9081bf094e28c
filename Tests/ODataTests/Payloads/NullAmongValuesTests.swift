import OData
import Soups
import Testing

/// A null in a collection of complex values, which a reader returns like entries.
struct NullAmongValuesTests {
    private static let context = "\"@odata.context\":\"http://h/s/$metadata#Collection(N.C)\","
    private static let options = PayloadOptions(version: .v4)

    private func payload(_ text: String) throws -> ODataPayload {
        try ODataPayload(reading: Array(text.utf8), options: Self.options)
    }

    @Test(arguments: ["[null,{\"x\":1}]", "[{\"x\":1},null]", "[null]"])
    func `a whole body may have one`(_ values: String) throws {
        guard case .property(let property, _) = try payload("{\(Self.context)\"value\":\(values)}"),
            case .collection(let items) = property.value
        else {
            Issue.record("not a collection of values")
            return
        }
        #expect(items.contains { $0 == .null })
    }

    @Test func `a reader that has returned values says what to do`() throws {
        var reader = ODataPayloadReader(options: Self.options)
        try reader.append(Array("{\(Self.context)\"value\":[{\"x\":1},null]}".utf8))
        try reader.finish()
        guard case .entry = try reader.next() else {
            Issue.record("no value")
            return
        }
        let fault = #expect(throws: Fault.self) {
            _ = try reader.next()
        }
        #expect(fault?.code == .unsupported)
        #expect(fault?.offset == 74)
    }

    @Test func `a reader returns values at once if the first one is null`() throws {
        var reader = ODataPayloadReader(options: Self.options)
        try reader.append(Array("{\(Self.context)\"value\":[null,{\"x\":1}]}".utf8))
        try reader.finish()
        guard case .end(.property) = try reader.next() else {
            Issue.record("not a collection of values")
            return
        }
    }
}
