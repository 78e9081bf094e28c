/// The query options of a URL, or of an item of `$expand` or `$select`. Absent options are nil or empty.
///
/// Source: OData URL Conventions 4.01, section 5; MS-ODATA 2.2.3.6 for 1.0 to 3.0.
public struct QueryOptions: Sendable {
    public var filter: ODataExpression?
    public var orderBy: [OrderByItem]?
    public var select: [SelectItem]?
    public var expand: [ExpandItem]?
    public var compute: [ComputeItem]?
    public var apply: [Transformation]?
    public var search: SearchExpression?
    public var top: Int64?
    public var skip: Int64?
    /// `$count` in versions 4.0 and 4.01.
    public var count: Bool?
    /// `$inlinecount` in versions 2.0 and 3.0; true for `allpages`.
    public var inlineCount: Bool?
    /// An opaque text, percent-decoded.
    public var skipToken: String?
    public var deltaToken: String?
    public var format: String?
    public var id: String?
    public var index: Int64?
    public var schemaVersion: String?
    /// The parameter aliases in the order of the text. Each name occurs once.
    public var aliases: [Alias] = []
    public var custom: [CustomOption] = []

    public init() {}

    /// A parameter alias: its name with `@`, and its value.
    public struct Alias: Sendable {
        public let name: String
        public let value: ODataExpression

        public init(name: String, value: ODataExpression) {
            self.name = name
            self.value = value
        }
    }

    /// An option that OData does not define; its name starts with neither `$` nor `@`.
    public struct CustomOption: Sendable, Equatable {
        public let name: String
        /// The value; empty if the option has no `=`.
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The expression of an alias; nil if the URL does not define it, which means null.
    public func alias(_ name: String) -> ODataExpression? {
        aliases.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}
