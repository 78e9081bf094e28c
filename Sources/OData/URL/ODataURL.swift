public import Soups

/// Holds a parsed URL: its service root, the segments of its resource path, its query options.
///
/// Split first, decoded afterwards and once, as OData URL Conventions 4.01, section 2 orders: path at `/`, query at
/// `&`, each option at its first `=`. So `%26` in a string is text, and a raw `&` ends the option.
public struct ODataURL: Sendable {
    /// Scheme, authority and path of the service; empty for a relative URL.
    public let serviceRoot: String
    public let resource: [ResourceSegment]
    public let options: QueryOptions
    /// What stands behind an unencoded `#`, undecoded.
    public let fragment: String?
    /// The texts of the system options, to find places in them again.
    let texts: [SystemOption: PercentDecoded]

    /// Parses an absolute URL or one relative to the service root.
    ///
    /// The service root of an absolute URL is `serviceRoot` where it is a prefix; else it ends behind a segment in
    /// `.svc`, else in front of the first segment with brackets or of the one that `$count` and the like belong to,
    /// else of the last segment. Faults carry byte offsets into the text as given: `syntax`, `unsupported`,
    /// `invalidLiteral`, `limitExceeded`.
    public init(
        parsing text: String, version: ODataVersion = .v4, serviceRoot: String? = nil, plusAsSpace: Bool = false,
        limits: Limits = .default
    ) throws(Fault) {
        let parts = try URLParts(Array(text.utf8), serviceRoot: serviceRoot, limits: limits)
        var reader = URLReader(version: version, plusAsSpace: plusAsSpace, limits: limits)
        resource = try reader.resource(parts.path)
        options = try reader.options(parts.query)
        texts = reader.texts
        self.serviceRoot = String(decoding: parts.root, as: UTF8.self)
        fragment = parts.fragment.map { String(decoding: $0, as: UTF8.self) }
        if let first = resource.first, first.kind == .system, first.name.utf8.elementsEqual("$entity".utf8),
            options.id == nil
        {
            throw Fault(.syntax, "$entity needs $id", offset: first.offset)
        }
    }

    /// Parses the text behind `?` alone.
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
