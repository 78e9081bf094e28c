/// Renews a session that a service no longer accepts, and repeats the request that met it.
///
/// ```swift
/// let transport = RefreshingTransport(network) { try await session.refresh() }
/// let response = try await transport.send(ServiceRequest(method: "GET", path: "/services/data"))
/// ```
///
/// A request that is answered with status 401 calls `refresh` and is then sent once more; its second answer is returned
/// whatever it is. Requests that meet a refresh under way wait for it. One that was sent before the last refresh does
/// not cause another: it is sent again, or fails as that refresh did. May be used by any number of tasks.
public final class RefreshingTransport: Transport {
    private let base: any Transport
    private let renewals: Renewals

    /// Creates a transport over another one.
    ///
    /// - Parameter refresh: Renews the credentials that `base` sends. What it throws ends all requests that wait for
    ///   it; throw `TransportFailure.sessionEnded` where only a log-in helps.
    public init(_ base: any Transport, refresh: @escaping @Sendable () async throws -> Void) {
        self.base = base
        renewals = Renewals(refresh)
    }

    /// Sends a request, and once more after a refresh if its status is 401.
    ///
    /// Throws what the base transport and `refresh` throw. A task that is cancelled while it waits for a refresh gets
    /// `TransportFailure.cancelled`; the refresh itself goes on, for the others.
    public func send(_ request: ServiceRequest) async throws -> ServiceResponse {
        let session = try await renewals.current()
        let response = try await base.send(request)
        guard response.status == 401 else {
            return response
        }
        try await renewals.renew(session)
        return try await base.send(request)
    }
}
