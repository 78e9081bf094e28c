/// Describes the fault that a step must raise; every part that is nil is free.
public struct ExpectedFault: Sendable {
    public let code: String?
    public let offset: Int64?
    /// A part of the message.
    public let contains: String?
}
