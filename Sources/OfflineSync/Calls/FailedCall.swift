import Soups

/// A call that the service did not answer with a success: the fault that may be thrown and logged, and the message of
/// the service, which goes only into the row of the sync.
struct FailedCall: Error {
    let fault: Fault
    var message: String?
    /// Whether the service has answered that it did not do what was asked.
    var isRefusal = false

    init(fault: Fault, message: String? = nil, isRefusal: Bool = false) {
        self.fault = fault
        self.message = message
        self.isRefusal = isRefusal
    }

    /// The failure that an error means. An error that a custom target throws has the name of its type, and nothing of
    /// it.
    init(_ error: any Error) {
        switch error {
        case let failure as FailedCall: self = failure
        case let fault as Fault: self.init(fault: fault)
        default: self.init(fault: Fault(.customTarget, "\(type(of: error))"))
        }
    }

    /// The text for the row: the code, the text of the fault, and at most 2,000 bytes of the message.
    var rowText: String {
        let text = "\(fault.code.rawValue): \(fault.message)"
        guard let message, !message.isEmpty else { return text }
        return text + ": " + message.prefix(bytes: 2_000)
    }
}
