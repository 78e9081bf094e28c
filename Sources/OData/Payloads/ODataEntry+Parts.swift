extension ODataEntry {
    /// One structural property.
    public struct Property: Sendable {
        /// The name of the property.
        public var name: String
        /// The value, of its type if it is known.
        public var value: ODataValue
        /// The type in the payload (`Edm.Int32`, `Collection(Shop.Address)`); nil if the payload has none.
        public var statedType: String?

        /// Creates a property.
        public init(_ name: String, _ value: ODataValue, statedType: String? = nil) {
            self.name = name
            self.value = value
            self.statedType = statedType
        }
    }

    /// A navigation property that is expanded in the payload.
    public struct Navigation: Sendable {
        /// The name of the navigation property.
        public var name: String
        /// The related entity or entities.
        public var content: Content

        /// Creates an expanded navigation property.
        public init(_ name: String, _ content: Content) {
            self.name = name
            self.content = content
        }

        /// The content of an expanded navigation property.
        public enum Content: Sendable {
            /// No related entity.
            case null
            /// One related entity.
            case entry(ODataEntry)
            /// A collection of related entities, or a page of it.
            case feed(ODataFeed)
        }
    }

    /// The link to a navigation property, its association or a stream.
    public struct Link: Sendable {
        /// The target of a link.
        public enum Kind: String, Sendable, BitwiseCopyable {
            /// The related entities.
            case navigation
            /// The references of the related entities.
            case association
            /// A stream.
            case media
        }

        /// The name of the navigation property or stream.
        public var name: String
        /// The URL.
        public var href: URLReference
        /// What the URL leads to.
        public var kind: Kind

        /// Creates a link.
        public init(_ name: String, _ href: URLReference, _ kind: Kind) {
            self.name = name
            self.href = href
            self.kind = kind
        }
    }

    /// The stream of a media link entry: the URLs to read and to edit it.
    public struct Media: Sendable {
        /// The media type of the stream.
        public var contentType: String?
        /// The URL to read the stream.
        public var source: URLReference?
        /// The URL to replace the stream.
        public var editLink: URLReference?
        /// The ETag of the stream.
        public var etag: String?

        /// Creates the description of a stream about which nothing is known.
        public init() {}
    }

    /// The removal of an entity in a delta.
    public struct Deletion: Sendable {
        /// The reason in the payload, `deleted` or `changed`.
        public var reason: String?
        /// The time of the removal as written (`at:deleted-entry`, Atom only).
        public var when: String?

        /// Creates a removal.
        public init(reason: String? = nil, when: String? = nil) {
            self.reason = reason
            self.when = when
        }
    }
}
