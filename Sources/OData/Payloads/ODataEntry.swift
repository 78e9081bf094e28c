/// Holds one entity, whatever format it came in: Atom, verbose JSON, JSON light or JSON of version 4.
///
/// Also holds the other items that a delta can list: a deleted entity, an added or deleted link.
public struct ODataEntry: Sendable {
    public var id: URLReference?
    /// The qualified name of the entity type, where the payload states it.
    public var type: String?
    public var etag: String?
    public var editLink: URLReference?
    public var readLink: URLReference?
    /// The structural properties in their order.
    public var properties: [Property] = []
    /// Related entities that are part of the payload.
    public var navigation: [Navigation] = []
    public var links: [Link] = []
    public var media: Media?
    /// Annotations and unknown control information, by their name without `@`; `Prop@ns.Term` for those of a property.
    public var annotations: [ODataValue.Member] = []
    /// Why the entity is no longer there, in a delta; nil for one that is.
    public var deletion: Deletion?

    public init() {}

    /// One structural property.
    public struct Property: Sendable {
        public var name: String
        public var value: ODataValue
        /// The type that the payload states (`Edm.Int32`, `Collection(Shop.Address)`), nil where it is left to metadata or defaults.
        public var statedType: String?

        public init(_ name: String, _ value: ODataValue, statedType: String? = nil) {
            self.name = name
            self.value = value
            self.statedType = statedType
        }
    }

    public struct Navigation: Sendable {
        public var name: String
        public var content: Content

        public init(_ name: String, _ content: Content) {
            self.name = name
            self.content = content
        }

        /// What an expanded navigation property holds.
        public enum Content: Sendable {
            case null
            case entry(ODataEntry)
            case feed(ODataFeed)
        }
    }

    public struct Link: Sendable {
        public enum Kind: String, Sendable { case navigation, association, media }

        public var name: String
        public var href: URLReference
        public var kind: Kind

        public init(_ name: String, _ href: URLReference, _ kind: Kind) {
            self.name = name
            self.href = href
            self.kind = kind
        }
    }

    /// The stream of a media link entry: where it is read and edited.
    public struct Media: Sendable {
        public var contentType: String?
        public var source: URLReference?
        public var editLink: URLReference?
        public var etag: String?

        public init() {}
    }

    public struct Deletion: Sendable {
        /// `deleted` or `changed`, where it is stated.
        public var reason: String?
        public var when: String?

        public init(reason: String? = nil, when: String? = nil) {
            self.reason = reason
            self.when = when
        }
    }

    /// The value of a property; nil where there is none of that name. Names compare by bytes. O(properties).
    public subscript(_ name: String) -> ODataValue? {
        properties.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}
