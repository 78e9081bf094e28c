import Platform
public import ServiceTransport

/// Sends requests to a `LoopbackServer`, or to another server on 127.0.0.1, over HTTP/1.1 without TLS. For tests.
///
/// Each request has a connection of its own. It is `notSent` if the connection is refused or cannot be made, or if no
/// byte of the request could be written. Once a byte may have been delivered every failure is `noAnswer`: a connection
/// that is closed before the whole answer has come, an answer that is not HTTP, or the end of the time. A cancelled
/// task gets `notSent` before the first byte, and `cancelled` after it. An answer that is longer than the request's
/// `answerLimit` is the fault `limitExceeded`, and no more than that is read of it.
public struct LoopbackTransport: Transport {
    private let port: UInt16
    private let timeout: Int

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - port: The port on 127.0.0.1.
    ///   - timeout: The greatest time in milliseconds from connecting to the last byte of the answer.
    public init(port: UInt16, timeout: Int = 30_000) {
        self.port = port
        self.timeout = timeout
    }

    /// Sends one request and returns its whole answer. The waiting is done by a thread of the request's own.
    public func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        let call = LoopbackCall(request, port: port, timeout: timeout)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                do throws(SystemError) {
                    try DetachedThread.start { waiter.resume(with: call.result()) }
                } catch {
                    waiter.resume(throwing: TransportFailure.notSent("cannot start a thread: \(error.reason)"))
                }
            }
        } onCancel: {
            call.cancel()
        }
    }
}
