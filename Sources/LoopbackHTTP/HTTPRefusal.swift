import ServiceTransport

/// A request that the server answers by itself, because it is malformed or larger than the limits.
struct HTTPRefusal: Error {
    let status: Int
    let message: String

    init(_ status: Int, _ message: String) {
        self.status = status
        self.message = message
    }

    /// Takes what stopped the reading of a request; nil where no one waits for an answer.
    init?(_ failure: StreamFailure) {
        switch failure {
        case .ended: return nil
        case .timedOut: self.init(408, "the request did not come in time; send it faster")
        case .tooLong: self.init(431, "the headers are too long; send fewer or shorter ones")
        case .malformed: self.init(400, "the request is malformed; send HTTP/1.1 with lines that end in CR and LF")
        }
    }

    /// The answer, in the form of a service's error. The messages need no escaping.
    var response: ServiceResponse {
        let body = "[{\"message\":\"\(message)\",\"errorCode\":\"HTTP_\(status)\"}]"
        return ServiceResponse(
            status: status, headers: [Pair("Content-Type", "application/json;charset=UTF-8")], body: Array(body.utf8))
    }
}
