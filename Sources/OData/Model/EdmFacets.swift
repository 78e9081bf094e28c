/// The facets that limit the values of a type; nil for facets that CSDL does not specify.
public struct EdmFacets: Sendable, Hashable {
    /// The maximum length in characters or bytes; `Int.max` for `max`.
    public var maxLength: Int?
    /// The number of digits of a decimal, or of fractional digits of the seconds of a time.
    public var precision: Int?
    /// The number of digits after the decimal point; `Int.max` for `variable` or `floating`. In version 4 a decimal
    /// without one has 0 in XML, and `variable` in JSON.
    public var scale: Int?
    /// Whether a string may have characters other than ASCII.
    public var isUnicode: Bool?
    /// The reference system of a spatial value: a number or `variable`.
    public var srid: String?
    /// The default value as text.
    public var defaultValue: String?

    /// Creates facets; what is nil is not limited.
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
