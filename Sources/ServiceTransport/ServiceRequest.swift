public import Soups

/// A request to a service, apart from what only the transport knows: the host and the credentials.
///
/// ```swift
/// var request = ServiceRequest(method: "GET", path: "/services/data/v66.0/query")
/// request.query = [Pair("q", "select Id from Account where Name = 'A+B'")]
/// let target = request.target
/// // /services/data/v66.0/query?q=select%20Id%20from%20Account%20where%20Name%20%3D%20%27A%2BB%27
/// ```
public struct ServiceRequest: Sendable, Hashable {
    /// The method, such as GET, POST, PATCH, PUT, DELETE or MERGE.
    public var method: String
    /// The percent-encoded path. It begins with one slash and has no query. Put ids and names into it with
    /// `PercentEncoding.encoded(_:)`.
    public var path: String
    /// The parameters of the query, not encoded.
    public var query: [Pair]
    /// A query that is sent as it is, in place of `query`: for links that a service gave and only it understands. An
    /// empty one is sent as a question mark alone.
    public var encodedQuery: String?
    /// The headers that belong to the request. Credentials and host are the transport's business.
    public var headers: [Pair]
    /// The body; `nil` for a request without one.
    public var body: [UInt8]?
    /// Whether a transport may send the request again.
    public var repetition: Repetition
    /// The greatest length of the answer's body in bytes. A longer one is the fault `limitExceeded`.
    public var answerLimit: Int

    /// The greatest length of an answer where a request does not say another: 64 MiB.
    public static let defaultAnswerLimit = 64 << 20

    /// Creates a request. Unless it is given, `repetition` is that of the method: `safe` for GET and HEAD, `idempotent`
    /// for PUT, PATCH, MERGE and DELETE, else `unsafe`.
    public init(
        method: String, path: String, query: [Pair] = [], encodedQuery: String? = nil, headers: [Pair] = [],
        body: [UInt8]? = nil, repetition: Repetition? = nil, answerLimit: Int = defaultAnswerLimit
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.encodedQuery = encodedQuery
        self.headers = headers
        self.body = body
        self.repetition = repetition ?? Repetition(of: method)
        self.answerLimit = answerLimit
    }

    /// The path and the encoded query, as in the first line of an HTTP request.
    public var target: String {
        if let encodedQuery {
            return path + "?" + encodedQuery
        }
        guard !query.isEmpty else {
            return path
        }
        let pairs = query.map { PercentEncoding.encoded($0.name) + "=" + PercentEncoding.encoded($0.value) }
        return path + "?" + pairs.joined(separator: "&")
    }
}

extension ServiceRequest {
    /// Checks the length of an answer's body, as far as it has come. For transports, which must not keep more.
    ///
    /// Throws `limitExceeded` if the body is longer than `answerLimit`.
    public func check(answerLength: Int) throws(Fault) {
        guard answerLength <= answerLimit else {
            throw fault(.limitExceeded, "the answer is longer than \(answerLimit) bytes")
        }
    }
}

extension Repetition {
    fileprivate init(of method: String) {
        switch method {
        case "GET", "HEAD": self = .safe
        case "PUT", "PATCH", "MERGE", "DELETE": self = .idempotent
        default: self = .unsafe
        }
    }
}
