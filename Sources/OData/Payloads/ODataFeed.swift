/// A collection of entities, or one page of it.
public struct ODataFeed: Sendable {
    public var entries: [ODataEntry] = []
    public var id: URLReference?
    /// The number of all entities, not only of this page, if the payload has it.
    public var count: Int64?
    public var nextLink: URLReference?
    public var deltaLink: URLReference?
    /// The context URL.
    public var context: String?
    /// Added and deleted links of a delta, in the order of the payload.
    public var links: [DeltaLink] = []
    public var annotations: [ODataValue.Member] = []
    /// Whether the payload is a delta. Its entries are changes and may have only the changed properties.
    public var isDelta = false

    public init() {}

    /// A relation between two entities that a delta adds or removes.
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
