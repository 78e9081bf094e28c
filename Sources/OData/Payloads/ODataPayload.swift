/// Holds what a body says, as one of the kinds of documents that OData services send.
public enum ODataPayload: Sendable {
    case feed(ODataFeed)
    case entry(ODataEntry)
    case error(ErrorBody)
    case service(ServiceDocument)
    /// A single property or value: the name where the payload has it.
    case property(ODataEntry.Property, context: String?)
    /// The URLs of related entities.
    case links([URLReference], count: Int64?, nextLink: URLReference?)

    /// Holds what a service says went wrong.
    public struct ErrorBody: Sendable, Hashable {
        public var code = ""
        public var message = ""
        public var language: String?
        public var target: String?
        public var details: [Detail] = []
        /// The innermost text of what the service adds, free in its form.
        public var innerMessage: String?

        public init() {}

        /// Says one thing of several that went wrong.
        public struct Detail: Sendable, Hashable {
            public var code = ""
            public var message = ""
            public var target: String?

            public init() {}
        }
    }

    /// Lists what a service offers at its root.
    public struct ServiceDocument: Sendable {
        public var sets: [Member] = []
        public var context: String?

        public init() {}

        /// Names one thing at the root, and its URL.
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
