import Platform
public import ServiceTransport
public import Soups

/// Answers HTTP/1.1 on 127.0.0.1 with a function. For tests: there is no TLS, and nothing outside this machine can
/// connect.
///
/// ```swift
/// let server = try LoopbackServer { request in
///     LoopbackAnswer(ServiceResponse(status: 200, body: Array(request.path.utf8)))
/// }
/// let transport = LoopbackTransport(port: server.port)
/// let response = try await transport.send(ServiceRequest(method: "GET", path: "/hello"))
/// ```
///
/// Requests within the `LoopbackLimits` reach the function, each on a thread of its connection, so several at a time;
/// others get a status and an error array that say what is wrong. The path and `encodedQuery` of a request are as the
/// client sent them, still encoded. The server stops when it is released, or by `stop`.
public final class LoopbackServer: Sendable {
    private let listener: LoopbackListener

    /// Starts listening.
    ///
    /// Throws `inputOutput` if the port is taken or may not be used, or the system has no more threads or sockets.
    ///
    /// - Parameters:
    ///   - port: The port; 0 lets the system choose one.
    ///   - limits: What requests and connections may take.
    ///   - answer: Called for each request, on a thread that may block. `stop` waits for its calls.
    public init(
        port: UInt16 = 0, limits: LoopbackLimits = LoopbackLimits(),
        answer: @escaping @Sendable (ServiceRequest) -> LoopbackAnswer
    ) throws(Fault) {
        do throws(SystemError) {
            let socket = try LoopbackSocket.listening(onPort: port)
            listener = LoopbackListener(socket, limits: limits, answer: answer)
            try listener.start()
        } catch {
            let reason = port == 0 ? "" : "; choose another port, or 0 for any"
            throw Fault(.inputOutput, "cannot listen on 127.0.0.1 port \(port): \(error.reason)" + reason)
        }
    }

    deinit { listener.end() }

    /// The port on which the server listens.
    public var port: UInt16 { listener.port }

    /// Refuses further connections, cuts those that are open, and waits until no request is being answered. A second
    /// call does nothing. Must not be called by the function that answers.
    public func stop() {
        listener.end()
        listener.waitForEnd()
    }
}
