/// Holds one segment of a resource path, decoded.
public struct ResourceSegment: Sendable {
    /// Says what a segment is.
    public enum Kind: Sendable, Hashable {
        /// A set, a property, a type, an operation: a name, qualified or not.
        case name
        /// `$metadata`, `$batch`, `$entity`, `$all`, `$count`, `$value`, `$ref`, `$links`, `$each`, `$query`.
        case system
        /// `$filter(...)`.
        case filter
        /// `$crossjoin(A,B)`.
        case crossJoin
        /// A key as a segment of its own, or an ordinal index of a collection (4.01).
        case keySegment
    }

    public let kind: Kind
    /// The name without brackets; of a key segment its text.
    public let name: String
    /// What stands in the brackets: nil without brackets.
    public let arguments: [Argument]?
    /// The predicate of `$filter`.
    public let predicate: ODataExpression?
    /// The byte offset of the segment in the URL as given.
    public let offset: Int

    /// Holds one value in the brackets of a segment.
    public struct Argument: Sendable {
        /// The name before `=`; nil for the one value of a simple key.
        public let name: String?
        /// A literal or an alias.
        public let value: ODataExpression

        public init(name: String?, value: ODataExpression) {
            self.name = name
            self.value = value
        }
    }

    init(_ kind: Kind, _ name: String, arguments: [Argument]? = nil, predicate: ODataExpression? = nil, offset: Int) {
        self.kind = kind
        self.name = name
        self.arguments = arguments
        self.predicate = predicate
        self.offset = offset
    }

    package var isQualified: Bool { kind == .name && name.utf8.contains(UInt8(ascii: ".")) }
}
