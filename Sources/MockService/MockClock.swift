/// The time of a mock service: it stays where it is set, or moves on with each request.
public struct MockClock: Sendable, Hashable {
    /// The time now, in milliseconds since 1970.
    public var now: Int64
    /// How far each request moves the time, in milliseconds.
    public var step: Int64

    /// Creates a clock. By default it is 2020-09-01T12:00:00Z and stays so.
    public init(now: Int64 = 1_598_961_600_000, step: Int64 = 0) {
        self.now = now
        self.step = step
    }
}
