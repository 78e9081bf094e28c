/// Options for reading a payload: information that the payload itself does not have.
public struct PayloadOptions: Sendable {
    /// The version of the payload, for example from its `OData-Version` header; nil to guess it from the first bytes,
    /// as ``PayloadVersion`` does.
    public var version: ODataVersion?
    /// The Content-Type. Without it the first bytes decide between XML and JSON.
    public var contentType: ContentType?
    /// The URL of the request. Relative links without another base URL are resolved against it.
    public var baseURL: String?
    /// The model to check names and types against.
    public var model: EdmModel?
    /// The qualified name of the type of the entities, for payloads without type information.
    public var entityType: String?
    /// The limits for the body.
    public var limits: Limits
    /// Whether properties that their type does not declare are read as those of an open type. A client whose metadata
    /// is older than the service has to accept them.
    package var acceptsUndeclared = false
    /// Whether numbers without a known type keep their digits, as decimals if they have no exponent, instead of becoming
    /// doubles where those have the same value: `1.50` is not `1.5`.
    package var keepsDigits = false
    /// Whether the service has refused or failed: an error may then have other members next to it that no version
    /// knows.
    var isOfFailure = false
    /// Whether the items of a collection are read at once, as one value.
    var readsCollectionsWhole = false
    /// Whether the bytes are UTF-8 regardless of a declaration in them, because they were already decoded.
    public var isDecodedText = false

    /// Creates options; without a model, names and types are not checked.
    public init(
        version: ODataVersion? = nil, contentType: ContentType? = nil, baseURL: String? = nil, model: EdmModel? = nil,
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

    /// What errors call the limit of the depth.
    static let depthLimit = "PayloadOptions.limits.depth"
    /// The version by which the payload is read, once it is known.
    var readVersion: ODataVersion { version ?? .v4 }

    /// Limits for a payload. A payload that exceeds one of them throws `limitExceeded`.
    public struct Limits: Sendable, Hashable {
        /// The maximum number of bytes of the decompressed body; 64 MiB. Raise it to stream larger bodies.
        public var totalBytes = 64 << 20
        /// The maximum nesting depth of elements, objects and arrays; 100.
        public var depth = 100
        /// The maximum number of bytes of one JSON entry or one Atom text; 64 MiB.
        public var entryBytes = 64 << 20
        /// The maximum number of properties of one entity or complex value; 10,000, in Atom at most 1,000.
        public var members = 10_000
        /// The maximum ratio of decompressed to compressed size after the first MiB; 200.
        public var expansion = 200

        /// Creates the default limits.
        public init() {}
    }
}
