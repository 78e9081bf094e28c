/// Holds a collection of entities, or one page of it.
public struct ODataFeed: Sendable {
    public var entries: [ODataEntry] = []
    public var id: URLReference?
    /// The count of all entities, not only of this page, where the payload states it.
    public var count: Int64?
    public var nextLink: URLReference?
    public var deltaLink: URLReference?
    /// The context URL of JSON.
    public var context: String?
    /// Added and deleted links of a delta, in the order of the payload.
    public var links: [DeltaLink] = []
    public var annotations: [ODataValue.Member] = []
    /// The payload is a delta: its entries are changes, and only the changed properties are in them.
    public var isDelta = false

    public init() {}

    /// Describes a relation between two entities that a delta adds or takes away.
    public struct DeltaLink: Sendable {
        public var source: URLReference?
        public var relationship: String
        public var target: URLReference?
        public var isDeleted: Bool

        public init(source: URLReference?, relationship: String, target: URLReference?, isDeleted: Bool) {
            self.source = source
            self.relationship = relationship
            self.target = target
            self.isDeleted = isDeleted
        }
    }
}
