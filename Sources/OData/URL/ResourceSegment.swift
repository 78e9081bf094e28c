/// One decoded segment of a resource path.
public struct ResourceSegment: Sendable {
    /// The kind of a segment.
    public enum Kind: Sendable, Hashable {
        /// A set, a property, a type, an operation: a name, qualified or not.
        case name
        /// `$metadata`, `$batch`, `$entity`, `$all`, `$count`, `$value`, `$ref`, `$links`, `$each`, `$query`.
        case system
        /// `$filter(...)`.
        case filter
        /// `$crossjoin(A,B)`.
        case crossJoin
        /// A key as a separate segment, or an ordinal index of a collection (4.01).
        case keySegment
    }

    /// The kind of the segment.
    public let kind: Kind
    /// The name without parentheses; for a key segment its text.
    public let name: String
    /// The values in parentheses; nil without parentheses.
    public let arguments: [Argument]?
    /// The values of a key in parentheses after the arguments of a function, as in `F(x=1)(2)`; `nil` without a key.
    public let key: [Argument]?
    /// The predicate of `$filter`.
    public let predicate: ODataExpression?
    /// The byte offset of the segment in the given URL.
    public let offset: Int
    /// The decoded text of `$filter(...)`, to convert offsets in its predicate.
    let text: PercentDecoded?

    /// One value in the parentheses of a segment.
    public struct Argument: Sendable {
        /// The name before `=`; nil for the single value of a simple key.
        public let name: String?
        /// A literal or an alias.
        public let value: ODataExpression

        /// Creates an argument.
        public init(name: String?, value: ODataExpression) {
            self.name = name
            self.value = value
        }
    }

    init(
        _ kind: Kind, _ name: String, arguments: [Argument]? = nil, key: [Argument]? = nil,
        predicate: ODataExpression? = nil, offset: Int, text: PercentDecoded? = nil
    ) {
        self.kind = kind
        self.name = name
        self.arguments = arguments
        self.key = key
        self.predicate = predicate
        self.offset = offset
        self.text = text
    }

    package var isQualified: Bool { kind == .name && name.utf8.contains(UInt8(ascii: ".")) }
}
