public import ServiceTransport

/// What a `LoopbackServer` does about a request: an answer, or how the connection ends.
public struct LoopbackAnswer: Sendable, Hashable {
    /// How an answer ends.
    public enum Ending: Sendable, Hashable {
        /// The whole answer is written.
        case whole
        /// The headers announce the whole body, and the connection is closed after this number of its bytes.
        case cut(afterBytes: Int)
        /// The connection is closed without an answer.
        case dropped
        /// Nothing is answered for as long as the client waits.
        case silent
    }

    /// The answer, for an ending that writes one.
    public var response: ServiceResponse
    /// How the answer ends.
    public var ending: Ending
    /// The time in milliseconds that passes before the answer.
    public var delay: Int

    /// Creates an answer.
    public init(_ response: ServiceResponse, ending: Ending = .whole, delay: Int = 0) {
        self.response = response
        self.ending = ending
        self.delay = delay
    }

    /// No answer: the connection is closed.
    public static let dropped = LoopbackAnswer(ServiceResponse(status: 500), ending: .dropped)

    /// No answer, and the connection stays open until the client closes it or the server stops.
    public static let silent = LoopbackAnswer(ServiceResponse(status: 500), ending: .silent)
}
