extension ODataEntry {
    /// One structural property.
    public struct Property: Sendable {
        public var name: String
        public var value: ODataValue
        /// The type in the payload (`Edm.Int32`, `Collection(Shop.Address)`); nil if the payload has none.
        public var statedType: String?

        public init(_ name: String, _ value: ODataValue, statedType: String? = nil) {
            self.name = name
            self.value = value
            self.statedType = statedType
        }
    }

    /// A navigation property that is expanded in the payload.
    public struct Navigation: Sendable {
        public var name: String
        public var content: Content

        public init(_ name: String, _ content: Content) {
            self.name = name
            self.content = content
        }

        /// The content of an expanded navigation property.
        public enum Content: Sendable {
            case null
            case entry(ODataEntry)
            case feed(ODataFeed)
        }
    }

    /// The link to a navigation property, its association or a stream.
    public struct Link: Sendable {
        /// The target of a link.
        public enum Kind: String, Sendable, BitwiseCopyable { case navigation, association, media }

        public var name: String
        public var href: URLReference
        public var kind: Kind

        public init(_ name: String, _ href: URLReference, _ kind: Kind) {
            self.name = name
            self.href = href
            self.kind = kind
        }
    }

    /// The stream of a media link entry: the URLs to read and to edit it.
    public struct Media: Sendable {
        public var contentType: String?
        public var source: URLReference?
        public var editLink: URLReference?
        public var etag: String?

        public init() {}
    }

    /// The removal of an entity in a delta.
    public struct Deletion: Sendable {
        /// The reason in the payload, `deleted` or `changed`.
        public var reason: String?
        public var when: String?

        public init(reason: String? = nil, when: String? = nil) {
            self.reason = reason
            self.when = when
        }
    }
}
