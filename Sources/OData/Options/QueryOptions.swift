/// The query options of a URL, or of an item of `$expand` or `$select`. Absent options are nil or empty.
///
/// ```swift
/// let options = try ODataURL.options(parsing: "$orderby=Price desc&$skip=20&$expand=Parts($select=Name)")
/// let isDescending = options.orderBy?.first?.isDescending
/// let query = options.query
/// ```
///
/// Source: OData URL Conventions 4.01, section 5; MS-ODATA 2.2.3.6 for 1.0 to 3.0.
public struct QueryOptions: Sendable {
    /// The predicate of `$filter`.
    public var filter: ODataExpression?
    /// The items of `$orderby`, the most significant first.
    public var orderBy: [OrderByItem]?
    /// The items of `$select`.
    public var select: [SelectItem]?
    /// The items of `$expand`.
    public var expand: [ExpandItem]?
    /// The items of `$compute`.
    public var compute: [ComputeItem]?
    /// The steps of `$apply`, in the order in which they are applied.
    public var apply: [Transformation]?
    /// The expression of `$search`.
    public var search: SearchExpression?
    /// The number of `$top`, not negative.
    public var top: Int64?
    /// The number of `$skip`, not negative.
    public var skip: Int64?
    /// `$count` in versions 4.0 and 4.01.
    public var count: Bool?
    /// `$inlinecount` in versions 2.0 and 3.0; true for `allpages`.
    public var inlineCount: Bool?
    /// The opaque text of `$skiptoken`, percent-decoded.
    public var skipToken: String?
    /// The opaque text of `$deltatoken`, percent-decoded.
    public var deltaToken: String?
    /// The value of `$format`: a short name such as `json`, or a media type.
    public var format: String?
    /// The value of `$id`, percent-decoded.
    public var id: String?
    /// The number of `$index`; negative numbers count from the end.
    public var index: Int64?
    /// The value of `$schemaversion`.
    public var schemaVersion: String?
    /// The parameter aliases in the order of the text. Each name occurs once.
    public var aliases: [Alias] = []
    /// The options that OData does not define, in the order of the text.
    public var custom: [CustomOption] = []

    /// Creates options without any of them set.
    public init() {}

    /// A parameter alias: its name with `@`, and its value.
    public struct Alias: Sendable {
        /// The name with `@`.
        public let name: String
        /// The value as an expression.
        public let value: ODataExpression

        /// Creates an alias.
        public init(name: String, value: ODataExpression) {
            self.name = name
            self.value = value
        }
    }

    /// An option that OData does not define; its name starts with neither `$` nor `@`.
    public struct CustomOption: Sendable, Equatable {
        /// The name, percent-decoded.
        public let name: String
        /// The value; empty if the option has no `=`.
        public let value: String

        /// Creates an option.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The first item of `$expand`, at any level, with `$apply` among its options.
    package var expansionWithApply: ExpandItem? {
        for item in expand ?? [] {
            let nested = item.options
            if nested.apply != nil {
                return item
            }
            if let inner = nested.expansionWithApply {
                return inner
            }
        }
        return nil
    }

    /// Returns the expression of an alias; nil if the URL does not define it, which means null.
    public func alias(_ name: String) -> ODataExpression? {
        aliases.first { $0.name.hasBytes(of: name) }?.value
    }
}
