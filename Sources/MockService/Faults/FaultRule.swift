/// Which requests a fault strikes.
///
/// ```swift
/// let service = MockService()
/// service.add(FaultRule(.dropAfter, call: .create, nth: 2))
/// service.add(FaultRule(.status(503, .empty, afterApplying: false), path: "/composite", times: nil))
/// ```
public struct FaultRule: Sendable, Equatable {
    /// What happens.
    public var fault: MockFault
    /// The call; nil for any.
    public var call: MockCall?
    /// The method; nil for any.
    public var method: String?
    /// A part of the path and query as sent; nil for any.
    public var path: String?
    /// A type that path, query or body name as a word; nil for any.
    public var object: String?
    /// An id, or another word, that path, query or body have; nil for any.
    public var record: String?
    /// The first request that is struck, counted from 1 among those that fit.
    public var nth: Int
    /// How many requests are struck from then on; nil for all.
    public var times: Int?

    /// Creates a rule; without further arguments, for the next request.
    public init(
        _ fault: MockFault, call: MockCall? = nil, method: String? = nil, path: String? = nil, object: String? = nil,
        record: String? = nil, nth: Int = 1, times: Int? = 1
    ) {
        self.fault = fault
        self.call = call
        self.method = method
        self.path = path
        self.object = object
        self.record = record
        self.nth = nth
        self.times = times
    }
}
