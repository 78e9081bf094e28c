public import ServiceTransport

/// What a `MockODataService` does about a request: an answer, or how the connection ends.
public struct MockODataAnswer: Sendable, Hashable {
    /// How an answer ends.
    public enum Ending: Sendable, Hashable {
        /// The whole answer comes.
        case whole
        /// The whole length is announced, and the connection is closed after this number of bytes of the body.
        case cut(afterBytes: Int)
        /// The connection is closed without an answer.
        case dropped
    }

    /// The answer, for an ending that has one.
    public var response: ServiceResponse
    /// How it ends.
    public var ending: Ending
    /// The time in milliseconds that passes before it.
    public var delay: Int
    /// Whether the service has done what was asked, or refused it by its own rules. False if a fault came before.
    public var isApplied: Bool
    /// The names of the faults that struck the request.
    public var faults: [String]
}
