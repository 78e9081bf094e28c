/// Limits for one document. A document that exceeds one of them throws `limitExceeded` before memory is allocated for
/// it.
public struct XMLLimits: Sendable, Hashable {
    /// The maximum nesting depth of elements; 100.
    public var depth = 100
    /// The maximum number of attributes of an element, including namespace declarations; 256.
    public var attributes = 256
    /// The maximum number of UTF-8 bytes of a name; 1,024.
    public var nameBytes = 1_024
    /// The maximum number of UTF-8 bytes of an attribute value; 1 MiB.
    public var attributeBytes = 1 << 20
    /// The maximum number of UTF-8 bytes of text between two tags, of a comment and of a processing instruction; 64
    /// MiB.
    public var textBytes = 64 << 20
    /// The maximum number of different names and prefixes in a document; 65,536.
    public var names = 65_536
    /// The maximum number of namespace declarations in scope; 256.
    public var namespacesInScope = 256
    /// The maximum number of bytes of the given document; 64 MiB. Raise it to stream larger documents.
    public var totalBytes = 64 << 20

    public init() {}
}
