import ServiceTransport
import Soups

/// What became of a creation.
enum CreationOutcome: Sendable {
    /// The service has created the record.
    case created(id: String)
    /// It failed; in doubt if the service may have created the record nevertheless.
    case failed(any Error, isInDoubt: Bool)

    /// Whether a record may have been created though the creation threw this error, of which no more is known.
    static func isInDoubt(after error: any Error) -> Bool {
        switch error {
        case TransportFailure.notSent, TransportFailure.sessionEnded: false
        case let call as FailedCall: !call.isRefusal && isInDoubt(after: call.fault)
        case let fault as Fault: ![.offline, .unauthorized, .refused, .invalidArguments].contains(fault.code)
        default: true
        }
    }
}
