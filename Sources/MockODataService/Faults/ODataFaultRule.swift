/// Which requests a fault strikes.
///
/// ```swift
/// service.add(ODataFaultRule(.dropAfter, call: .create, nth: 2))
/// service.add(ODataFaultRule(.status(410, .error), call: .delta, set: "Products", times: nil))
/// ```
public struct ODataFaultRule: Sendable, Equatable {
    /// What happens.
    public var fault: MockODataFault
    /// The call; nil for any.
    public var call: MockODataCall?
    /// The method; nil for any.
    public var method: String?
    /// The entity set; nil for any.
    public var set: String?
    /// A part of the path and query as sent; nil for any.
    public var path: String?
    /// The part of a batch that is struck, counted from 1, with a status; nil for whole requests.
    public var part: Int?
    /// The first request that is struck, counted from 1 among those that fit.
    public var nth: Int
    /// How many requests are struck from then on; nil for all.
    public var times: Int?

    /// Creates a rule; without further arguments, for the next request.
    public init(
        _ fault: MockODataFault, call: MockODataCall? = nil, method: String? = nil, set: String? = nil,
        path: String? = nil, part: Int? = nil, nth: Int = 1, times: Int? = 1
    ) {
        self.fault = fault
        self.call = call
        self.method = method
        self.set = set
        self.path = path
        self.part = part
        self.nth = nth
        self.times = times
    }
}
