/// Bounds what one document may cost. Whatever is larger is `limitExceeded`, before memory is taken for it.
public struct XMLLimits: Sendable, Hashable {
    /// Elements open at once. 100.
    public var depth = 100
    /// Attributes of one element, namespace declarations included. 256.
    public var attributes = 256
    /// UTF-8 bytes of one name. 1,024.
    public var nameBytes = 1_024
    /// UTF-8 bytes of one attribute's value. 1 MiB.
    public var attributeBytes = 1 << 20
    /// UTF-8 bytes of text between two tags, of one comment and of one processing instruction. 64 MiB.
    public var textBytes = 64 << 20
    /// Different names and prefixes in one document. 65,536.
    public var names = 65_536
    /// Namespace declarations in scope at once. 256.
    public var namespacesInScope = 256
    /// Bytes of the whole document as given. 64 MiB; a caller that streams raises it.
    public var totalBytes = 64 << 20

    public init() {}
}
