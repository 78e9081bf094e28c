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
