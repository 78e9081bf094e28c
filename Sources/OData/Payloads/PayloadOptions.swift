/// Says how a payload is to be read: what its bytes do not say themselves.
public struct PayloadOptions: Sendable {
    public var version: ODataVersion
    /// The value of Content-Type; without it the first bytes tell XML from JSON.
    public var contentType: ContentType?
    /// The URL that the body was requested from: relative links without a base of their own are relative to it.
    public var baseURL: String?
    /// The model to check names and types against.
    public var model: EdmModel?
    /// The qualified name of the type of the entities, where the payload need not state it.
    public var entityType: String?
    public var limits: Limits
    /// The bytes are UTF-8, whatever a declaration in them says (they went through a decoder before).
    public var isDecodedText = false

    public init(
        version: ODataVersion = .v4, contentType: ContentType? = nil, baseURL: String? = nil, model: EdmModel? = nil,
        entityType: String? = nil,
        limits: Limits = Limits()
    ) {
        self.version = version
        self.contentType = contentType
        self.baseURL = baseURL
        self.model = model
        self.entityType = entityType
        self.limits = limits
    }

    /// Bounds what a payload may cost; beyond one of them is `limitExceeded`.
    public struct Limits: Sendable, Hashable {
        /// Bytes of the whole body, unpacked. 64 MiB; a caller that streams raises it.
        public var totalBytes = 64 << 20
        /// Elements, objects and arrays open at once. 100.
        public var depth = 100
        /// Bytes of one entry of JSON, of one text of Atom. 64 MiB.
        public var entryBytes = 64 << 20
        /// Properties of one entity or complex value. 10,000; in Atom 1,000 at most.
        public var members = 10_000
        /// How many times larger than its packed form a body may be, beyond the first MiB. 200.
        public var expansion = 200

        public init() {}
    }
}
