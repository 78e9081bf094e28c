/// What a `LoopbackServer` accepts. A client that asks for more gets an answer that says so, or is cut off.
public struct LoopbackLimits: Sendable, Hashable {
    /// The greatest length of a request's first line and headers in bytes: 64 KiB. More is status 414 or 431.
    public var headBytes = 64 << 10
    /// The greatest length of a request's body in bytes: 16 MiB. More is status 413.
    public var bodyBytes = 16 << 20
    /// The greatest number of connections at a time: 64. Further ones get status 503.
    public var connections = 64
    /// The greatest time in seconds from a request's first byte to its last: 20. A slower one gets status 408.
    public var requestSeconds = 20
    /// The greatest time in seconds that a connection may be idle between two requests: 60.
    public var idleSeconds = 60
    /// The greatest time in seconds that a client may take to read an answer: 60. A slower one is cut off.
    public var answerSeconds = 60

    /// Creates limits with the values above.
    public init() {}
}
