import Foundation
import ServiceTransport
import Testing

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct TransportFailureTests {
    private struct Other: Error {}

    private let request = ServiceRequest(
        method: "POST", path: "/sobjects/Account", query: [Pair("q", "marker")], headers: [Pair("X-Marker", "marker")],
        body: Array("marker".utf8))

    @Test(
        arguments: [
            (TransportFailure.notSent("marker"), Fault.Code.offline), (.noAnswer("marker"), .noAnswer),
            (.sessionEnded, .unauthorized), (.cancelled, nil),
        ] as [(TransportFailure, Fault.Code?)])
    func `failures become faults without what was sent`(failure: TransportFailure, code: Fault.Code?) {
        let fault = failure.fault(of: request)
        #expect(fault?.code == code)
        #expect(fault?.description.contains("marker") != true)
        #expect(fault == nil || fault?.message.contains("POST /sobjects/Account") == true)
    }

    @Test func `what URLSession throws for a cancelled task is a cancellation, and its other errors are no answer`() {
        #expect(TransportFailure(URLError(.cancelled)) == .cancelled)
        #expect(TransportFailure(NSError(domain: NSURLErrorDomain, code: NSURLErrorCancelled)) == .cancelled)
        for error in [URLError(.timedOut), URLError(.networkConnectionLost), URLError(.cannotFindHost)] {
            guard case .noAnswer = TransportFailure(error) else {
                Issue.record("\(error.code) promises something")
                continue
            }
        }
    }

    @Test func `whatever a transport throws has a meaning`() {
        #expect(TransportFailure(TransportFailure.notSent("a")) == .notSent("a"))
        #expect(TransportFailure(CancellationError()) == .cancelled)
        guard case .noAnswer = TransportFailure(Other()) else {
            Issue.record("an unknown error does not promise that nothing was sent")
            return
        }
    }
}
