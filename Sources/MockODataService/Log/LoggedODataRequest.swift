public import ServiceTransport

/// A request that a `MockODataService` got, and what became of it.
public struct LoggedODataRequest: Sendable, Hashable {
    /// Its number, from 1.
    public let number: Int
    /// The request as it came.
    public let request: ServiceRequest
    /// What it asked for; nil for a path or method that the service does not have.
    public let call: MockODataCall?
    /// What was answered, and how the answer ended.
    public let answer: MockODataAnswer
}
