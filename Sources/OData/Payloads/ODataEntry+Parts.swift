extension ODataEntry {
    /// Holds one structural property.
    public struct Property: Sendable {
        public var name: String
        public var value: ODataValue
        /// The type that the payload states (`Edm.Int32`, `Collection(Shop.Address)`), nil where it is left to metadata
        /// or defaults.
        public var statedType: String?

        public init(_ name: String, _ value: ODataValue, statedType: String? = nil) {
            self.name = name
            self.value = value
            self.statedType = statedType
        }
    }

    /// Holds a navigation property that the payload has expanded.
    public struct Navigation: Sendable {
        public var name: String
        public var content: Content

        public init(_ name: String, _ content: Content) {
            self.name = name
            self.content = content
        }

        /// Says what an expanded navigation property holds.
        public enum Content: Sendable {
            case null
            case entry(ODataEntry)
            case feed(ODataFeed)
        }
    }

    /// Holds where a navigation property, its association or a stream is read.
    public struct Link: Sendable {
        /// Says what a link leads to.
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

    /// Describes the stream of a media link entry: where it is read and edited.
    public struct Media: Sendable {
        public var contentType: String?
        public var source: URLReference?
        public var editLink: URLReference?
        public var etag: String?

        public init() {}
    }

    /// Says that a delta takes the entity away, and why.
    public struct Deletion: Sendable {
        /// `deleted` or `changed`, where it is stated.
        public var reason: String?
        public var when: String?

        public init(reason: String? = nil, when: String? = nil) {
            self.reason = reason
            self.when = when
        }
    }
}
