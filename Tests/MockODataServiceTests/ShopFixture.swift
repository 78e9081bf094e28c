import JSONText
import MockODataService
import ServiceTransport
import Testing

/// Short ways to call a mock service, and to read what it answers.
struct ShopFixture {
    let service: MockODataService

    init(_ version: MockODataVersion = .v4, _ change: (inout MockODataOptions) -> Void = { _ in }) throws {
        var options = MockODataOptions()
        options.version = version
        change(&options)
        let metadata = version == .v2 || version == .v3 ? ShopMetadata.v2 : ShopMetadata.v4
        service = try MockODataService(metadata: Array(metadata.utf8), options: options)
    }

    /// A service with products 1 to a number, whose names are n1, n2, ...
    static func filled(
        _ count: Int, _ version: MockODataVersion = .v4, _ change: (inout MockODataOptions) -> Void = { _ in }
    ) throws -> ShopFixture {
        let fixture = try ShopFixture(version, change)
        for number in 1...count {
            try fixture.service.set(
                "Products", "(\(number))", ["Name": .string("n\(number)"), "Price": .number(.init(Int64(number)))])
        }
        return fixture
    }

    func request(
        _ method: String, _ path: String, _ body: String? = nil, headers: [Pair] = [], type: String = "application/json"
    ) -> ServiceRequest {
        let parts = path.split(separator: "?", maxSplits: 1).map(String.init)
        let below = parts.first ?? ""
        let start = below.hasPrefix("/") ? below : "/odata/" + below
        return ServiceRequest(
            method: method, path: start, encodedQuery: parts.count > 1 ? parts[1] : nil,
            headers: [Pair("Accept", type), Pair("Content-Type", type)] + headers, body: body.map { Array($0.utf8) })
    }

    func call(
        _ method: String, _ path: String, _ body: String? = nil, headers: [Pair] = [], type: String = "application/json"
    ) -> ShopReply {
        ShopReply(answer: service.handle(request(method, path, body, headers: headers, type: type)))
    }

    func get(_ path: String, headers: [Pair] = []) -> ShopReply { call("GET", path, headers: headers) }

    /// The keys of the entities that a filter finds.
    func ids(_ filter: String) -> [Int64] {
        let encoded = filter.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
        return get("Products?$filter=" + encoded).value.compactMap { $0["ID"]?.int64 }
    }

    /// What came of a request over the transport, in a word.
    func outcome(_ request: ServiceRequest) async -> String {
        do {
            return "\(try await service.transport.send(request).status)"
        } catch TransportFailure.notSent {
            return "not sent"
        } catch TransportFailure.noAnswer {
            return "no answer"
        } catch {
            return "\(error)"
        }
    }
}

/// What a service answered.
struct ShopReply {
    let answer: MockODataAnswer

    var status: Int { answer.response.status }
    var text: String { String(decoding: answer.response.body, as: UTF8.self) }
    var json: JSONValue { (try? JSONValue(parsing: answer.response.body)) ?? .null }
    var value: [JSONValue] { json["value"]?.array ?? json["d"]?["results"]?.array ?? [] }
    var next: String? { json["@odata.nextLink"]?.string }
    var delta: String? { json["@odata.deltaLink"]?.string }

    func header(_ name: String) -> String? { answer.response.header(name) }
}
