/// Sends requests to one service. An app implements it over its network library, with host, credentials and
/// compression.
///
/// A failure must say whether the request can have reached the service: an engine sends again what was `notSent`, and
/// holds back what got `noAnswer`. In doubt it is `noAnswer`.
public protocol Transport: Sendable {
    /// Sends one request and returns its whole answer. Cancelling the task ends it.
    ///
    /// Any status is an answer. A request without an answer throws `TransportFailure`; an answer that is longer than
    /// the request's `answerLimit` is the fault `limitExceeded`. Any other error counts as `TransportFailure.noAnswer`,
    /// and so does a body that is shorter than the header `Content-Length` says, unless the header `Content-Encoding`
    /// is there too.
    func send(_ request: ServiceRequest) async throws -> ServiceResponse
}
