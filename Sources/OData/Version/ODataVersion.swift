/// A version of the protocol, whose rules apply to a text or payload.
///
/// Source: MS-ODATA for 1.0 to 3.0, OASIS OData for 4.0 and 4.01. Versions are ordered by age.
public enum ODataVersion: String, Sendable, Hashable, CaseIterable, Comparable {
    /// The first version, with Atom and JSON.
    case v1 = "1.0"
    /// Adds `$select`, `$inlinecount` and paging by the server.
    case v2 = "2.0"
    /// Adds JSON light, `any` and `all`, actions, functions and spatial types.
    case v3 = "3.0"
    /// The first version of OASIS: one JSON format, `$search`, nested options, types for dates and durations.
    case v4 = "4.0"
    /// Adds `in`, `divby`, `$compute`, key segments and case-insensitive names of options and functions.
    case v401 = "4.01"

    /// Whether the version follows OASIS OData (4.0 and later) instead of MS-ODATA.
    public var isV4: Bool { self >= .v4 }

    /// Whether the first version is older.
    public static func < (a: ODataVersion, b: ODataVersion) -> Bool { a.rank < b.rank }

    private var rank: Int {
        switch self {
        case .v1: 1
        case .v2: 2
        case .v3: 3
        case .v4: 4
        case .v401: 5
        }
    }
}
