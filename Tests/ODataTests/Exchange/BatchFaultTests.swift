import OData
import Soups
import Testing

@Suite struct BatchFaultTests {
    private static let type = ContentType("multipart/mixed; boundary=b")

    private static func read(_ text: String, parts: Int) throws(Fault) -> ODataBatch {
        var limits = ODataBatch.Limits()
        limits.parts = parts
        return try ODataBatch(reading: Array(text.utf8), contentType: type, limits: limits)
    }

    @Test func `a part that is too many ends the reading at its delimiter`() throws {
        let part = "--b\nContent-Type: application/http\n\nHTTP/1.1 200 OK\n\n\n"
        #expect(try Self.read(part + part + "--b--", parts: 2).parts.count == 2)
        // The rest, which has no closing delimiter, is not looked at.
        let fault = #expect(throws: Fault.self) { try Self.read(part + part + part + "rest", parts: 2) }
        #expect(fault?.code == .limitExceeded)
        #expect(fault?.offset == 2 * part.utf8.count + "--b\n".utf8.count)
    }

    @Test func `the limit of parts holds for the requests of a change set`() throws {
        let request = "--c\nContent-Type: application/http\n\nDELETE A HTTP/1.1\n\n\n"
        let start = "--b\nContent-Type: multipart/mixed; boundary=c\n\n"
        let whole = start + request + request + "--c--\n--b--"
        #expect(try Self.read(whole, parts: 2).messages.count == 2)
        let fault = #expect(throws: Fault.self) { try Self.read(start + request + request + "\n--b--", parts: 1) }
        #expect(fault?.code == .limitExceeded)
    }

    @Test func `a request has no more parts than a reader takes`() throws {
        var batch = ODataBatch()
        for _ in 0..<1_001 {
            batch.append(ODataBatch.Message("GET", "As"))
        }
        let fault = #expect(throws: Fault.self) { try batch.request() }
        #expect(fault?.code == .limitExceeded)
        var limits = ODataBatch.Limits()
        limits.parts = 1_001
        #expect(try !batch.request(limits: limits).body.isEmpty)
        batch.parts.removeLast()
        #expect(try !batch.request().body.isEmpty)
    }

    @Test func `a text body that is not UTF-8 is not written into a JSON batch`() throws {
        var message = ODataBatch.Message("POST", "As", headers: [.init("Content-Type", "text/plain")])
        message.body = [0x61, 0xFF]
        var batch = ODataBatch()
        batch.append(message)
        let fault = #expect(throws: Fault.self) { try batch.json() }
        #expect(fault?.code == .invalidArguments)
        batch.parts = []
        message.headers = [.init("Content-Type", "application/octet-stream")]
        batch.append(message)
        let read = try ODataBatch(reading: try batch.json(), contentType: nil)
        #expect(read.messages.first?.body == [0x61, 0xFF])
    }

    @Test func `headers with a control character are a fault of their own`() throws {
        var change = ODataChangeRequest(.update, entitySet: "As", key: 1, properties: ["A": 1])
        change.etag = "W/\"1\"\r\nX: 1"
        let fault = #expect(throws: Fault.self) { try change.headers }
        #expect(fault?.code == .invalidArguments)
        // What has no such text is not affected.
        #expect(try change.url() == "As(1)")
        #expect(try change.body() == #"{"A":1}"#)
    }
}
