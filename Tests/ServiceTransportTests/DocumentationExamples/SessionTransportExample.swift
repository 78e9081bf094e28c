import Foundation
import LoopbackHTTP
import ServiceTransport
import Soups
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

// Example: Sources/ServiceTransport/Transport.swift
/// Sends the requests of one service with URLSession.
struct SessionTransport: Transport {
    let service: URL
    let token: String

    func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        guard let url = URL(string: request.target, relativeTo: service) else {
            throw TransportFailure.notSent("the target of the request is not a URL")
        }
        var outgoing = URLRequest(url: url)
        outgoing.httpMethod = request.method
        outgoing.httpBody = request.body.map { Data($0) }
        for header in request.headers {
            outgoing.setValue(header.value, forHTTPHeaderField: header.name)
        }
        outgoing.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        do {
            let (body, answer) = try await URLSession.shared.data(for: outgoing)
            try request.check(answerLength: body.count)
            guard let answer = answer as? HTTPURLResponse else {
                throw TransportFailure.noAnswer("not an answer of HTTP")
            }
            let headers = answer.allHeaderFields.map { Pair("\($0.key)", "\($0.value)") }
            return ServiceResponse(status: answer.statusCode, headers: headers, body: [UInt8](body))
        } catch let error as URLError where Self.unsent.contains(error.code) {
            throw TransportFailure.notSent(error.localizedDescription)
        }
    }

    /// The errors that come before the first byte is sent. All others count as `noAnswer`.
    private static let unsent: Set<URLError.Code> = [
        .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost,
    ]
}
// End of example

@Suite struct SessionTransportExample {
    @Test func `the example of Transport gives the answer of the service`() async throws {
        let server = try LoopbackServer { request in
            let header = request.headers.first { $0.name.lowercased() == "authorization" }
            let body = Array((request.method + " " + request.path).utf8) + (request.body ?? [])
            let status = header?.value == "Bearer abc" ? 201 : 401
            return LoopbackAnswer(ServiceResponse(status: status, headers: [Pair("X-Trace", "7")], body: body))
        }
        defer { server.stop() }
        let transport = SessionTransport(service: try url(server.port), token: "abc")
        let request = ServiceRequest(method: "POST", path: "/a%20b", body: Array("text".utf8))
        let response = try await transport.send(request)
        #expect(response.status == 201)
        #expect(response.header("x-trace") == "7")
        #expect(String(decoding: response.body, as: UTF8.self) == "POST /a%20btext")
    }

    @Test func `the example of Transport refuses an answer that is too long`() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer(ServiceResponse(status: 200, body: [1, 2, 3])) }
        defer { server.stop() }
        let transport = SessionTransport(service: try url(server.port), token: "")
        let fault = await #expect(throws: Fault.self) {
            try await transport.send(ServiceRequest(method: "GET", path: "/", answerLimit: 2))
        }
        #expect(fault?.code == .limitExceeded)
    }

    @Test func `the example of Transport says that nothing was sent where no service listens`() async throws {
        let server = try LoopbackServer { _ in LoopbackAnswer(ServiceResponse(status: 200)) }
        server.stop()
        let transport = SessionTransport(service: try url(server.port), token: "")
        let failure = await #expect(throws: TransportFailure.self) {
            try await transport.send(ServiceRequest(method: "GET", path: "/"))
        }
        guard case .notSent = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
    }

    private func url(_ port: UInt16) throws -> URL { try #require(URL(string: "http://127.0.0.1:\(port)/")) }
}
