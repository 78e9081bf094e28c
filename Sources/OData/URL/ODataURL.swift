public import Soups

/// A parsed URL: its service root, the segments of its resource path and its query options.
///
/// ```swift
/// let url = try ODataURL(parsing: "https://host/shop.svc/Items(7)/Parts?$filter=Price%20gt%202.5&$top=10")
/// let path = url.resource.map(\.name)
/// let filter = url.options.filter?.canonicalText
/// let top = url.options.top
/// ```
///
/// The URL is split first and percent-decoded afterwards, as OData URL Conventions 4.01, section 2 require: the path at
/// `/`, the query at `&`, and each option at its first `=`. So `%26` in a string is text, and an unencoded `&` ends the
/// option.
public struct ODataURL: Sendable {
    /// The scheme, authority and path of the service; empty for a relative URL.
    public let serviceRoot: String
    /// The segments of the resource path, in order.
    public let resource: [ResourceSegment]
    /// The query options.
    public let options: QueryOptions
    /// The text after an unencoded `#`, not decoded.
    public let fragment: String?
    /// The decoded texts of the system options, to convert offsets in them.
    let texts: [SystemOption: PercentDecoded]
    let version: ODataVersion

    /// Parses an absolute URL or one relative to the service root.
    ///
    /// The service root of an absolute URL is `serviceRoot` if that is a prefix of the URL. Otherwise it ends after a
    /// segment that ends in `.svc`, else before the first segment with parentheses or the segment that `$count` and the
    /// like belong to, else before the last segment. Throws `syntax`, `unsupported`, `invalidLiteral` or
    /// `limitExceeded` with a byte offset in the given text.
    public init(
        parsing text: String, version: ODataVersion = .v4, serviceRoot: String? = nil, plusAsSpace: Bool = false,
        limits: Limits = .default
    ) throws(Fault) {
        let parts = try URLParts(Array(text.utf8), serviceRoot: serviceRoot, limits: limits)
        var reader = URLReader(version: version, plusAsSpace: plusAsSpace, limits: limits)
        resource = try reader.resource(parts.path)
        options = try reader.options(parts.query)
        texts = reader.texts
        self.version = version
        self.serviceRoot = String(decoding: parts.root, as: UTF8.self)
        fragment = parts.fragment.map { String(decoding: $0, as: UTF8.self) }
        try reader.checkSystemRoot(of: resource)
    }

    /// Parses a query: the text after `?`.
    ///
    /// - Throws: `syntax`, `unsupported`, `invalidLiteral` or `limitExceeded`, with a byte offset in the text.
    public static func options(
        parsing query: String, version: ODataVersion = .v4, plusAsSpace: Bool = false, limits: Limits = .default
    ) throws(Fault) -> QueryOptions {
        let bytes = Array(query.utf8)
        guard bytes.count <= limits.length else {
            throw Fault(.limitExceeded, "the text is longer than \(limits.length) bytes", offset: limits.length)
        }
        var reader = URLReader(version: version, plusAsSpace: plusAsSpace, limits: limits)
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        return try reader.options(bytes[..<end])
    }
}
