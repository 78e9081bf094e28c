public import JSONText

/// The content of a body: one of the kinds of documents that OData services send.
///
/// ```swift
/// let options = PayloadOptions(version: .v4, contentType: ContentType("application/json"))
/// guard case .feed(let feed) = try ODataPayload(reading: body, options: options) else { return }
/// let names = feed.entries.map { $0["Name"] }
/// ```
public enum ODataPayload: Sendable {
    /// A collection of entities, or a page or delta of it.
    case feed(ODataFeed)
    /// A single entity.
    case entry(ODataEntry)
    /// An error that the service reports.
    case error(ErrorBody)
    /// A service document.
    case service(ServiceDocument)
    /// A single property or value, with its name if the payload has it.
    case property(ODataEntry.Property, context: String?)
    /// The URLs of related entities.
    case links([URLReference], count: Int64?, nextLink: URLReference?)
    /// The requests or answers of a batch.
    case batch(ODataBatch)
    /// A raw value: text that is not a count, or bytes.
    case value(RawValue)
    /// A count, with its text as sent.
    case count(Int64, text: String)

    /// The body of a raw value, such as the answer to a URL that ends in `$value`.
    public enum RawValue: Sendable, Hashable {
        /// Text, decoded.
        case text(String)
        /// The bytes of any other media type.
        case bytes([UInt8])
    }

    /// An error that a service reports.
    public struct ErrorBody: Sendable, Hashable {
        /// The service's code for the error.
        public var code = ""
        /// The message for people.
        public var message = ""
        /// The language of the message, up to version 3.0.
        public var language: String?
        /// What the error is about, such as the name of a property.
        public var target: String?
        /// Further errors that the service reports with this one.
        public var details: [Detail] = []
        /// The inner error, whose content is up to the service: usually an object with `message`, `type`, `stacktrace`
        /// and `internalexception`. In XML elements are members, and texts are strings. For debugging only.
        public var innerError: JSONValue?
        /// The message of the inner error.
        public var innerMessage: String? { innerError?.object?["message"]?.string }

        /// Creates an empty error.
        public init() {}

        public func hash(into hasher: inout Hasher) {
            hasher.combine(code)
            hasher.combine(message)
            hasher.combine(target)
        }

        /// One of several errors that a service reports together.
        public struct Detail: Sendable, Hashable {
            /// The service's code for the error.
            public var code = ""
            /// The message for people.
            public var message = ""
            /// What the error is about.
            public var target: String?

            /// Creates an empty detail.
            public init() {}
        }
    }

    /// A service document: what can be addressed at the root of a service.
    public struct ServiceDocument: Sendable {
        /// The members in the order of the document.
        public var sets: [Member] = []
        /// The context URL.
        public var context: String?

        /// Creates an empty service document.
        public init() {}

        /// A member of a service document: its name and URL.
        public struct Member: Sendable {
            /// The name of the member.
            public var name: String
            /// The title for people.
            public var title: String?
            /// The URL of the member.
            public var url: URLReference
            /// `EntitySet`, `Singleton`, `FunctionImport` or `ServiceDocument`.
            public var kind: String

            /// Creates a member.
            public init(name: String, title: String? = nil, url: URLReference, kind: String = "EntitySet") {
                self.name = name
                self.title = title
                self.url = url
                self.kind = kind
            }
        }
    }
}
