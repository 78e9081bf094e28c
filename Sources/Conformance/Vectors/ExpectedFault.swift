/// The fault that a step must throw. Parts that are nil are not checked.
public struct ExpectedFault: Sendable {
    public let code: String?
    public let offset: Int64?
    /// A part of the message.
    public let contains: String?
}
