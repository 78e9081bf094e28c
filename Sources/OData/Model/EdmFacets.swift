/// The facets that limit the values of a type; nil for facets that CSDL does not specify.
public struct EdmFacets: Sendable, Hashable {
    /// In characters or bytes; `Int.max` for `max`.
    public var maxLength: Int?
    public var precision: Int?
    /// The number of digits after the decimal point; `Int.max` for `variable` or `floating`.
    public var scale: Int?
    public var isUnicode: Bool?
    public var srid: String?
    public var defaultValue: String?

    public init(
        maxLength: Int? = nil, precision: Int? = nil, scale: Int? = nil, isUnicode: Bool? = nil, srid: String? = nil,
        defaultValue: String? = nil
    ) {
        self.maxLength = maxLength
        self.precision = precision
        self.scale = scale
        self.isUnicode = isUnicode
        self.srid = srid
        self.defaultValue = defaultValue
    }
}
