/// How a `MockODataService` behaves where services differ.
public struct MockODataOptions: Sendable, Hashable {
    /// The ETags of entities.
    public enum ETags: String, Sendable, Hashable, CaseIterable {
        /// There are none.
        case none
        /// `W/"3"`, the number of the entity's version.
        case weak
        /// `"3"`
        case strong
    }

    /// The version of the protocol.
    public var version = MockODataVersion.v4
    /// The path of the service: `/odata/`. It begins and ends with a slash.
    public var root = "/odata/"
    /// The greatest number of entities on a page: 100.
    public var pageSize = 100
    /// The ETags of entities.
    public var etags = ETags.weak
    /// Whether an update or delete without `If-Match` is refused with 428.
    public var requiresETag = false
    /// Whether a new entity keeps the key that the client gives. Else the service makes one, if its type is a number or
    /// a Guid; other keys are always the client's.
    public var takesKeys = false
    /// Whether the deletion of an entity that others refer to is refused, unless the metadata say that they go with it.
    /// Else they stay and lose the reference.
    public var refusesReferring = false
    /// The number of changes that links to changes lead back over: 1,000. Older links are answered with 410.
    public var changeLimit = 1_000
    /// The number of requests that the log keeps: 100,000. Older ones are forgotten.
    public var logLimit = 100_000

    /// Creates options with the values above.
    public init() {}
}
