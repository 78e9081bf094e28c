/// A collection of entities, or one page of it.
public struct ODataFeed: Sendable {
    /// The entities on this page. A streaming reader returns them one by one and leaves this empty.
    public var entries: [ODataEntry] = []
    /// The id of the feed, if the payload has it.
    public var id: URLReference?
    /// The number of all entities, not only of this page, if the payload has it.
    public var count: Int64?
    /// The URL of the next page; nil on the last page.
    public var nextLink: URLReference?
    /// The URL of later changes, on the last page, if the service offers it.
    public var deltaLink: URLReference?
    /// The context URL.
    public var context: String?
    /// Added and deleted links of a delta, in the order of the payload. `changes` has them among the entries.
    public var links: [DeltaLink] = []
    /// For each link, the number of entries before it.
    private(set) var linkPositions: [Int] = []
    /// The annotations of the feed, by their names without `@`.
    public var annotations: [ODataValue.Member] = []
    /// Whether the payload is a delta. Its entries are changes and may have only the changed properties.
    public var isDelta = false

    /// Creates an empty feed.
    public init() {}

    /// Appends a link of a delta after the entries so far.
    mutating func append(_ link: DeltaLink) {
        links.append(link)
        linkPositions.append(entries.count)
    }

    /// Takes the entries and links of another feed.
    mutating func takeChanges(of other: ODataFeed) {
        entries = other.entries
        links = other.links
        linkPositions = other.linkPositions
    }

    /// A relation between two entities that a delta adds or removes.
    public struct DeltaLink: Sendable {
        /// The id of the entity that has the relation.
        public var source: URLReference?
        /// The name of the navigation property.
        public var relationship: String
        /// The id of the related entity. A deleted link of version 4.01 may lack it: it is then that of a navigation
        /// property with one related entity.
        public var target: URLReference?
        /// Whether the relation is removed; otherwise it is added.
        public var isDeleted: Bool
        /// The context URL of the link itself, if it has one.
        public var context: String?

        /// Creates a link.
        public init(source: URLReference?, relationship: String, target: URLReference?, isDeleted: Bool) {
            self.source = source
            self.relationship = relationship
            self.target = target
            self.isDeleted = isDeleted
        }
    }
}
