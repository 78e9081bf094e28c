/// The content of a body: one of the kinds of documents that OData services send.
public enum ODataPayload: Sendable {
    case feed(ODataFeed)
    case entry(ODataEntry)
    case error(ErrorBody)
    case service(ServiceDocument)
    /// A single property or value, with its name if the payload has it.
    case property(ODataEntry.Property, context: String?)
    /// The URLs of related entities.
    case links([URLReference], count: Int64?, nextLink: URLReference?)

    /// An error that a service reports.
    public struct ErrorBody: Sendable, Hashable {
        public var code = ""
        public var message = ""
        public var language: String?
        public var target: String?
        public var details: [Detail] = []
        /// The message of the inner error, whose content is up to the service.
        public var innerMessage: String?

        public init() {}

        /// One of several errors that a service reports together.
        public struct Detail: Sendable, Hashable {
            public var code = ""
            public var message = ""
            public var target: String?

            public init() {}
        }
    }

    /// A service document: what can be addressed at the root of a service.
    public struct ServiceDocument: Sendable {
        public var sets: [Member] = []
        public var context: String?

        public init() {}

        /// A member of a service document: its name and URL.
        public struct Member: Sendable {
            public var name: String
            public var title: String?
            public var url: URLReference
            /// `EntitySet`, `Singleton`, `FunctionImport` or `ServiceDocument`.
            public var kind: String

            public init(name: String, title: String? = nil, url: URLReference, kind: String = "EntitySet") {
                self.name = name
                self.title = title
                self.url = url
                self.kind = kind
            }
        }
    }
}
