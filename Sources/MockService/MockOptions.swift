/// How a `MockService` behaves where services differ.
public struct MockOptions: Sendable, Hashable {
    /// Whether answers have the header `Date`.
    public var sendsDate = true
    /// Whether records that refer to a deleted one stay and lose the reference; else they are deleted with it.
    public var keepsReferring = false
    /// Whether `and` next to `or` without parentheses is refused, as services do; else `and` binds more closely.
    public var refusesMixedConditions = true
    /// Whether an upsert that updates is answered with status 204 and no body; else with 200 and the id.
    public var answersUpsertsWithoutBody = false
    /// The number of records on a page, unless the request asks for another: 2,000.
    public var pageSize = 2_000
    /// The number of records on a page of a sub-query: 200.
    public var childPageSize = 200
    /// The number of queries whose further pages can be asked for: 10. Older ones expire.
    public var liveCursors = 10
    /// The number of requests that the log keeps: 100,000. Older ones are forgotten.
    public var logLimit = 100_000

    /// Creates options with the values above.
    public init() {}
}
