/// Holds the query options of a URL, or of an item of `$expand` or `$select`; nil and empty where an option is absent.
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
    /// `$count` of 4.x.
    public var count: Bool?
    /// `$inlinecount` of 2.0 and 3.0: `allpages` is true.
    public var inlineCount: Bool?
    /// Opaque texts, decoded once.
    public var skipToken: String?
    public var deltaToken: String?
    public var format: String?
    public var id: String?
    public var index: Int64?
    public var schemaVersion: String?
    /// In the order of the text; each name once.
    public var aliases: [Alias] = []
    public var custom: [CustomOption] = []

    public init() {}

    /// Holds a parameter alias with its `@`, and what stands for it.
    public struct Alias: Sendable {
        public let name: String
        public let value: ODataExpression

        public init(name: String, value: ODataExpression) {
            self.name = name
            self.value = value
        }
    }

    /// Holds an option that OData does not define: its name begins with neither `$` nor `@`.
    public struct CustomOption: Sendable, Equatable {
        public let name: String
        /// Empty where the option has no `=`.
        public let value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Finds the expression of a declared alias; an alias that nobody declared stands for null.
    public func alias(_ name: String) -> ODataExpression? {
        aliases.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
    }
}
