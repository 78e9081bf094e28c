public import ServiceTransport

/// Sends requests to a `MockODataService` of the same process.
///
/// It knows what happened, so a connection that is dropped before the request is applied is `notSent`, and one that is
/// dropped after it `noAnswer`. A delay is waited for.
public struct MockODataTransport: Transport {
    private let service: MockODataService

    init(_ service: MockODataService) { self.service = service }

    /// Sends one request and returns its whole answer. Throws `limitExceeded` for an answer over the request's limit.
    public func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        guard !Task.isCancelled else {
            throw TransportFailure.notSent("the task was cancelled before anything was sent")
        }
        let answer = service.handle(request)
        if answer.delay > 0 {
            do {
                try await Task.sleep(for: .milliseconds(answer.delay))
            } catch {
                throw TransportFailure.cancelled
            }
        }
        switch answer.ending {
        case .whole:
            try request.check(answerLength: answer.response.body.count)
            return answer.response
        case .cut: throw TransportFailure.noAnswer("the connection was closed before the whole answer had come")
        case .dropped where answer.isApplied:
            throw TransportFailure.noAnswer("the connection was closed before the whole answer had come")
        case .dropped: throw TransportFailure.notSent("the connection was closed before anything was sent")
        }
    }
}
