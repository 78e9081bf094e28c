public import Soups

/// The failure of a request that got no answer.
public enum TransportFailure: Error, Sendable, Hashable {
    /// A promise: no byte of the request has reached the service. There is no network, the name was not found, or the
    /// connection was refused. The text is for people.
    case notSent(String)
    /// The request may have reached the service: the connection was dropped, timed out, or closed before the whole
    /// answer had come. The text is for people.
    case noAnswer(String)
    /// The task was cancelled. A transport that knows that the request was not sent throws `notSent` instead.
    case cancelled
    /// There is no session any more: the user logged out, or the credentials were revoked.
    case sessionEnded
}

extension TransportFailure {
    /// The failure that an error of a transport means. A cancellation is `cancelled`, every other error `noAnswer`:
    /// whether the service got the request is unknown then.
    public init(_ error: any Error) {
        switch error {
        case let failure as TransportFailure: self = failure
        case is CancellationError: self = .cancelled
        // What URLSession throws for a task that was cancelled. Its type is one of Foundation, which this target lacks.
        case let error where error._domain == "NSURLErrorDomain" && error._code == -999: self = .cancelled
        default: self = .noAnswer("the transport failed with another error")
        }
    }

    /// Returns the fault of a call that failed so; nil for `cancelled`, which is not a fault. Its text has the method
    /// and the path, and nothing of query, headers, body or the text of the failure.
    public func fault(of request: ServiceRequest) -> Fault? {
        switch self {
        case .notSent: request.fault(.offline, "the service cannot be reached; nothing was sent")
        case .noAnswer: request.fault(.noAnswer, "no answer; the service may have done what was asked")
        case .sessionEnded: request.fault(.unauthorized, "the session has ended; log in again")
        case .cancelled: nil
        }
    }
}
