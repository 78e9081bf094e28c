/// Sends requests to one service. An app implements it over its network library, with host, credentials and
/// compression.
///
/// A failure must say whether the request can have reached the service: an engine sends again what was `notSent`, and
/// holds back what got `noAnswer`. In doubt it is `noAnswer`.
///
/// A transport over URLSession, which keeps the body of an answer before it can check its length:
///
/// ```swift
/// /// Sends the requests of one service with URLSession.
/// struct SessionTransport: Transport {
///     let service: URL
///     let token: String
///
///     func send(_ request: ServiceRequest) async throws -> ServiceResponse {
///         guard let url = URL(string: request.target, relativeTo: service) else {
///             throw TransportFailure.notSent("the target of the request is not a URL")
///         }
///         var outgoing = URLRequest(url: url)
///         outgoing.httpMethod = request.method
///         outgoing.httpBody = request.body.map { Data($0) }
///         for header in request.headers {
///             outgoing.setValue(header.value, forHTTPHeaderField: header.name)
///         }
///         outgoing.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
///         do {
///             let (body, answer) = try await URLSession.shared.data(for: outgoing)
///             try request.check(answerLength: body.count)
///             guard let answer = answer as? HTTPURLResponse else {
///                 throw TransportFailure.noAnswer("not an answer of HTTP")
///             }
///             let headers = answer.allHeaderFields.map { Pair("\($0.key)", "\($0.value)") }
///             return ServiceResponse(status: answer.statusCode, headers: headers, body: [UInt8](body))
///         } catch let error as URLError where Self.unsent.contains(error.code) {
///             throw TransportFailure.notSent(error.localizedDescription)
///         }
///     }
///
///     /// The errors that come before the first byte is sent. All others count as `noAnswer`.
///     private static let unsent: Set<URLError.Code> = [
///         .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost,
///     ]
/// }
/// ```
public protocol Transport: Sendable {
    /// Sends one request and returns its whole answer. Cancelling the task ends it.
    ///
    /// Any status is an answer. A request without an answer throws `TransportFailure`; an answer that is longer than
    /// the request's `answerLimit` is the fault `limitExceeded`. Any other error counts as `TransportFailure.noAnswer`,
    /// and so does a body that is shorter than the header `Content-Length` says, unless the header `Content-Encoding`
    /// is there too.
    func send(_ request: ServiceRequest) async throws -> ServiceResponse
}
