extension ODataEntry {
    /// What follows the name of a property in the name of the annotation that is the link to its next values.
    package static let nextLinkOfValues = "@odata.nextLink"

    /// The properties with a collection of values of which the entity has a page, and not the last one.
    package var propertiesWithFurtherValues: [String] {
        annotations.map(\.name).filter { $0.hasSuffix(Self.nextLinkOfValues) }.map {
            String($0.dropLast(Self.nextLinkOfValues.count))
        }
    }

    /// One structural property.
    public struct Property: Sendable {
        /// The name of the property.
        public var name: String
        /// The value, of its type if it is known.
        public var value: ODataValue
        /// The type in the payload (`Edm.Int32`, `Collection(Shop.Address)`); nil if the payload has none.
        public var statedType: String?
        /// Where the value is a page of the values, if it is the whole payload; nil otherwise.
        public var page: ValuePage?

        /// Creates a property.
        public init(_ name: String, _ value: ODataValue, statedType: String? = nil) {
            self.name = name
            self.value = value
            self.statedType = statedType
        }
    }

    /// What a payload says of a collection of values besides the values that it has.
    ///
    /// It is an object, so that the properties of entities, which have none, stay small.
    public final class ValuePage: Sendable {
        /// The number of all values; nil if the payload does not say it.
        public let count: Int64?
        /// The URL of the next values; nil for the last page.
        public let nextLink: URLReference?

        /// Creates the page of a collection.
        public init(count: Int64?, nextLink: URLReference?) {
            self.count = count
            self.nextLink = nextLink
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
