import JSONText
import MockService
import ServiceTransport
import Testing

/// Short ways to call a mock service, and to read what it answers.
struct MockFixture {
    static let base = "/services/data/v66.0"

    let service: MockService

    init(options: MockOptions = MockOptions()) { service = MockService(options: options) }

    func call(
        _ method: String, _ path: String, query: [Pair] = [], body: JSONValue? = nil, headers: [Pair] = []
    ) -> MockReply {
        let request = ServiceRequest(
            method: method, path: Self.base + path, query: query, headers: headers, body: body?.bytes())
        return MockReply(service.handle(request))
    }

    func query(_ text: String, batch: Int? = nil) -> MockReply {
        let headers = batch.map { [Pair("Sforce-Query-Options", "batchSize=\($0)")] } ?? []
        return call("GET", "/query", query: [Pair("q", text)], headers: headers)
    }

    /// Follows a link of an answer.
    func follow(_ link: String) -> MockReply { MockReply(service.handle(ServiceRequest(method: "GET", path: link))) }

    func composite(_ parts: JSONValue...) -> MockReply {
        call("POST", "/composite", body: ["allOrNone": false, "compositeRequest": .array(parts)])
    }

    func collection(_ method: String, _ records: [JSONValue], path: String = "") -> MockReply {
        call(method, "/composite/sobjects" + path, body: ["allOrNone": false, "records": .array(records)])
    }

    /// Sends a request over the transport; what is thrown is returned.
    func send(_ request: ServiceRequest) async -> Result<ServiceResponse, any Error> {
        do {
            return .success(try await service.transport.send(request))
        } catch {
            return .failure(error)
        }
    }
}

/// What a service answered.
struct MockReply {
    let answer: MockAnswer

    init(_ answer: MockAnswer) { self.answer = answer }

    var status: Int { answer.response.status }
    var text: String { String(decoding: answer.response.body, as: UTF8.self) }
    var json: JSONValue { (try? JSONValue(parsing: answer.response.body)) ?? .null }
    var code: String? { json.array?.first?["errorCode"]?.string }
    var message: String? { json.array?.first?["message"]?.string }
    var records: [JSONValue] { json["records"]?.array ?? [] }
    var parts: [JSONValue] { json["compositeResponse"]?.array ?? [] }
    var items: [JSONValue] { json.array ?? [] }

    /// A field of each record.
    func column(_ name: String) -> [JSONValue] { records.map { $0[name] ?? "missing" } }
}

extension JSONValue {
    /// The code of the first error of a collection's element.
    var itemCode: String? { self["errors"]?.array?.first?["statusCode"]?.string }
    /// The code of the first error in the body of a composite part.
    var partCode: String? { self["body"]?.array?.first?["errorCode"]?.string }
    var partStatus: Int64? { self["httpStatusCode"]?.int64 }
    subscript(_ index: Int) -> JSONValue { array?[index] ?? .null }
}
