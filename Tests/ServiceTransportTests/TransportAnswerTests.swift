import ServiceTransport
import Testing

/// What becomes of a request: an answer, or a fault with its method and path.
@Suite struct TransportAnswerTests {
    private struct Given: Transport {
        let result: Result<ServiceResponse, any Error>

        func send(_ request: ServiceRequest) async throws -> ServiceResponse { try result.get() }
    }

    private let request = ServiceRequest(
        method: "PATCH", path: "/sobjects/Account", query: [Pair("q", "marker")], body: Array("marker".utf8),
        answerLimit: 3)

    @Test(
        arguments: [
            (204, nil), (302, .malformedAnswer), (401, .unauthorized), (404, .refused), (429, .unavailable),
            (503, .unavailable),
        ] as [(Int, Fault.Code?)])
    func `a status means a fault, with the code of the error if there is one`(status: Int, code: Fault.Code?) {
        let response = ServiceResponse(status: status, body: Array("marker".utf8))
        let plain = request.fault(of: response, errorCode: nil)
        #expect(plain?.code == code)
        #expect(
            plain?.message
                == code.map { _ in "PATCH /sobjects/Account: the service answered with status \(status)" })
        let named = request.fault(of: response, errorCode: "ENTITY_IS_DELETED")
        #expect(named?.message == plain.map { $0.message + ", ENTITY_IS_DELETED" })
    }

    @Test func `any status is an answer, unless it is too long`() async throws {
        let short = ServiceResponse(status: 500, body: [1, 2, 3])
        #expect(try await Given(result: .success(short)).answer(to: request) == short)
        let long = Given(result: .success(ServiceResponse(status: 200, body: [1, 2, 3, 4])))
        await #expect {
            try await long.answer(to: request)
        } throws: { ($0 as? Fault)?.code == .limitExceeded }
    }

    @Test(
        arguments: [
            ("GET", 200, [("content-length", "3")], true), ("POST", 500, [("Content-Length", "3")], true),
            ("GET", 200, [("Content-Length", "2")], false), ("GET", 200, [("Content-Length", "1")], false),
            ("GET", 200, [("Content-Length", "3, 3")], false), ("GET", 200, [("Content-Length", "")], false),
            ("GET", 200, [("Content-Length", "-3")], false), ("GET", 200, [("Content-Length", "+3")], false),
            ("GET", 200, [("Content-Length", "3"), ("Content-Encoding", "gzip")], false),
            ("GET", 200, [("Content-Length", "3"), ("Transfer-Encoding", "chunked")], false),
            ("HEAD", 200, [("Content-Length", "3")], false), ("GET", 304, [("Content-Length", "3")], false),
            ("PATCH", 204, [("Content-Length", "3")], false),
        ] as [(String, Int, [(String, String)], Bool)])
    func `an answer that is shorter than its length is none`(
        method: String, status: Int, headers: [(String, String)], isCut: Bool
    ) async throws {
        let request = ServiceRequest(method: method, path: "/sobjects/Account")
        let response = ServiceResponse(
            status: status, headers: headers.map { Pair($0.0, $0.1) }, body: Array("{}".utf8))
        let transport = Given(result: .success(response))
        guard isCut else {
            #expect(try await transport.answer(to: request) == response)
            return
        }
        await #expect {
            try await transport.answer(to: request)
        } throws: { ($0 as? Fault)?.code == .noAnswer }
    }

    @Test func `what a transport throws is a fault or a cancellation`() async {
        let fault = Fault(.limitExceeded, "given by the transport")
        await #expect(throws: fault) { try await Given(result: .failure(fault)).answer(to: request) }
        await #expect(throws: CancellationError.self) {
            try await Given(result: .failure(TransportFailure.cancelled)).answer(to: request)
        }
        await #expect {
            try await Given(result: .failure(TransportFailure.notSent("marker"))).answer(to: request)
        } throws: { error in
            let fault = error as? Fault
            return fault?.code == .offline && fault?.message.hasPrefix("PATCH /sobjects/Account: ") == true
                && fault?.message.contains("marker") == false
        }
    }
}
